package search

import (
	"bufio"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
)

// table is a file of rows for the other products, and a file of their vectors.
type table struct {
	files   [2]*os.File
	cells   *bufio.Writer
	vectors *bufio.Writer
	err     error
}

func newTable(folder, name string) (*table, error) {
	cells, err := os.Create(filepath.Join(folder, name+".tsv")) //nolint:gosec // a temporary folder
	if err != nil {
		return nil, err
	}
	vectors, err := os.Create(filepath.Join(folder, name+".f32")) //nolint:gosec // a temporary folder
	if err != nil {
		return nil, errors.Join(err, cells.Close())
	}
	return &table{files: [2]*os.File{cells, vectors}, cells: bufio.NewWriter(cells), vectors: bufio.NewWriter(vectors)}, nil
}

// add writes a row. Cells must contain neither tabs nor line breaks. The first error is returned by close.
func (t *table) add(vector []float32, cells ...string) {
	for i, c := range cells {
		if i > 0 {
			_ = t.cells.WriteByte('\t')
		}
		_, _ = t.cells.WriteString(c) // Flush returns the error of any write
	}
	_ = t.cells.WriteByte('\n')
	if vector != nil {
		t.err = errors.Join(t.err, binary.Write(t.vectors, binary.LittleEndian, vector))
	}
}

func (t *table) close() error {
	return errors.Join(t.err, t.cells.Flush(), t.vectors.Flush(), t.files[0].Close(), t.files[1].Close())
}
