package bench

import (
	"bufio"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
)

// table is a file of rows for the peers, and one of their vectors.
type table struct {
	files   [2]*os.File
	cells   *bufio.Writer
	vectors *bufio.Writer
	err     error
}

func newTable(folder, name string) (*table, error) {
	cells, err := os.Create(filepath.Join(folder, name+".tsv")) //nolint:gosec // a folder of our own
	if err != nil {
		return nil, err
	}
	vectors, err := os.Create(filepath.Join(folder, name+".f32")) //nolint:gosec // a folder of our own
	if err != nil {
		return nil, err
	}
	return &table{files: [2]*os.File{cells, vectors}, cells: bufio.NewWriter(cells), vectors: bufio.NewWriter(vectors)}, nil
}

// add writes a row; cells hold neither tabs nor line ends.
func (t *table) add(vector []float32, cells ...string) {
	for i, c := range cells {
		if i > 0 {
			_ = t.cells.WriteByte('\t')
		}
		_, t.err = t.cells.WriteString(c)
	}
	_ = t.cells.WriteByte('\n')
	if vector != nil {
		t.err = errors.Join(t.err, binary.Write(t.vectors, binary.LittleEndian, vector))
	}
}

func (t *table) close() error {
	return errors.Join(t.err, t.cells.Flush(), t.vectors.Flush(), t.files[0].Close(), t.files[1].Close())
}
