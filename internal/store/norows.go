package store

import (
	"fmt"

	"docqa/internal/platform/apperr"
)

// NotFound turns the error of a query into the service's: nil stays nil, no row becomes
// apperr.NotFound, and any other error says what was being done.
func NotFound(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case IsNoRows(err):
		return apperr.NotFound()
	}
	return fmt.Errorf("%s: %w", doing, err)
}
