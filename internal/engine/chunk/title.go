package chunk

import (
	"path"
	"strings"
)

// TitleOf is the name that citations show and that stands before every chunk in the
// index: the file name without folders and extension, with spaces for underscores and
// hyphens.
//
// Gap: our choice (docs/decisions.md#document-titles).
func TitleOf(filename string) string {
	base := filename[strings.LastIndexAny(filename, `/\`)+1:]
	if stem := strings.TrimSuffix(base, path.Ext(base)); stem != "" {
		base = stem
	}
	title := strings.Join(strings.Fields(strings.NewReplacer("_", " ", "-", " ").Replace(base)), " ")
	if title == "" {
		return filename
	}
	return title
}
