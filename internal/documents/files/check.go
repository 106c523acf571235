package files

import (
	"context"
	"fmt"
	"io"

	"docqa/internal/engine/parse"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
	"docqa/internal/provider/blob"
)

// Formats tells which files can be read. *parsing.Parser does. What it refuses is
// apperr.Invalid with the code unsupported_format.
type Formats interface {
	Named(name, contentType string) (parse.Format, error)
	Sniff(name, contentType string, head []byte) (parse.Format, error)
}

// CheckSize refuses a file that is empty or too large: apperr.Invalid object_empty or
// object_too_large.
func CheckSize(size int64) error {
	switch {
	case size == 0:
		return apperr.Invalid(apperr.CodeObjectEmpty, "the file is empty")
	case size > limits.DocumentBytes:
		return apperr.Invalid(apperr.CodeObjectTooLarge, "the file is larger than 50 MB")
	}
	return nil
}

// Head reads the first bytes of an object of the given size, enough to tell its format.
func Head(ctx context.Context, objects *blob.Store, key string, size int64) ([]byte, error) {
	body, err := objects.GetRange(ctx, key, 0, min(parse.HeadBytes, size))
	if err != nil {
		return nil, err
	}
	defer body.Close()
	head, err := io.ReadAll(io.LimitReader(body, parse.HeadBytes))
	if err != nil {
		return nil, fmt.Errorf("read the head of a file: %w", err)
	}
	return head, nil
}
