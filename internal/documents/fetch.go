package documents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"docqa/gen/dbsqlc"
	"docqa/internal/limits"
)

// localFile is a document's file on our disk. It has no name, so it goes with its
// handle, also when the process is killed.
type localFile struct {
	*os.File
	sha256 string // hex
}

// fetch streams the document's object to a temporary file, ready to be read from its
// beginning; the caller closes it.
func (g *Ingester) fetch(ctx context.Context, d dbsqlc.Document) (file localFile, err error) {
	body, err := g.Objects.Get(ctx, *d.ObjectKey)
	if err != nil {
		return file, err
	}
	defer body.Close()
	if file.File, err = os.CreateTemp(g.TempDir, "docqa-ingest-*"); err != nil {
		return file, fmt.Errorf("make a temporary file: %w", err)
	}
	defer func() {
		if err != nil {
			_ = file.Close()
		}
	}()
	if err := os.Remove(file.Name()); err != nil {
		return file, fmt.Errorf("unname the temporary file: %w", err)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum), io.LimitReader(body, limits.DocumentBytes+1))
	if err != nil {
		return file, fmt.Errorf("fetch the file: %w", err)
	}
	if n != d.SizeBytes {
		return file, fmt.Errorf("fetch the file: it has %d bytes in place of %d", n, d.SizeBytes)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return file, fmt.Errorf("rewind the temporary file: %w", err)
	}
	file.sha256 = hex.EncodeToString(sum.Sum(nil))
	return file, nil
}
