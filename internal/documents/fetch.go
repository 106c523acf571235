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

// localFile is a document's file on our disk.
type localFile struct {
	path   string
	sha256 string // hex
}

func (f localFile) remove() { _ = os.Remove(f.path) }

// fetch streams the document's object to a temporary file; the caller removes it.
func (g *Ingester) fetch(ctx context.Context, d dbsqlc.Document) (file localFile, err error) {
	body, err := g.Objects.Get(ctx, *d.ObjectKey)
	if err != nil {
		return file, err
	}
	defer body.Close() //nolint:errcheck // only read
	to, err := os.CreateTemp(g.TempDir, "docqa-ingest-*."+d.Format)
	if err != nil {
		return file, fmt.Errorf("make a temporary file: %w", err)
	}
	file.path = to.Name()
	defer func() {
		if err != nil {
			file.remove()
		}
	}()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, sum), io.LimitReader(body, limits.DocumentBytes+1))
	if closeErr := to.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return file, fmt.Errorf("fetch the file: %w", err)
	}
	if n != d.SizeBytes {
		return file, fmt.Errorf("fetch the file: it has %d bytes in place of %d", n, d.SizeBytes)
	}
	file.sha256 = hex.EncodeToString(sum.Sum(nil))
	return file, nil
}
