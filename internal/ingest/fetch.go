package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"docqa/internal/platform/column"
	"docqa/internal/platform/limits"
)

// localFile is a temporary copy of a document's file. It has no name, so the system removes it
// when the handle is closed or the process is killed.
type localFile struct {
	*os.File

	size   int64
	sha256 string // hex
}

// fetch copies the file's object to a temporary file. The caller must close it.
func (s *Service) fetch(ctx context.Context, f column.DocumentFile) (localFile, error) {
	body, err := s.Objects.Get(ctx, *f.ObjectKey)
	if err != nil {
		return localFile{}, err
	}
	defer body.Close()
	file, err := s.spool(body)
	if err != nil {
		return file, err
	}
	if file.size != f.SizeBytes {
		_ = file.Close()
		return file, fmt.Errorf("fetch the file: it has %d bytes in place of %d", file.size, f.SizeBytes)
	}
	return file, nil
}

// spool writes body to a temporary file. It stops one byte above the largest size of a document,
// so that CheckSize refuses the file.
func (s *Service) spool(body io.Reader) (file localFile, err error) {
	if file.File, err = s.temporary(); err != nil {
		return file, err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
		}
	}()
	sum := sha256.New()
	file.size, err = io.Copy(io.MultiWriter(file, sum), io.LimitReader(body, limits.DocumentBytes+1))
	if err != nil {
		return file, fmt.Errorf("fetch the file: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return file, fmt.Errorf("rewind the temporary file: %w", err)
	}
	file.sha256 = hex.EncodeToString(sum.Sum(nil))
	return file, nil
}

// temporary makes a temporary file without a name.
func (s *Service) temporary() (*os.File, error) {
	file, err := os.CreateTemp(s.TempDir, "docqa-ingest-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("unname the temporary file: %w", err), file.Close())
	}
	return file, nil
}
