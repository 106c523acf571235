package chunk

import (
	"path"
	"strings"
)

// TitleOf returns the title that citations show and that is indexed with every chunk: the file
// name without folders and extension, with spaces for underscores and
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
