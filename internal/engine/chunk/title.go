package chunk

import (
	"path"
	"strings"
)

// TitleOf is the name that citations show and that stands before every chunk in the
// index: the file name without folders and extension, with spaces for underscores and
// hyphens.
//
// Gap: our choice (gaps section 11, retrieval).
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

// Embedded is the chunk as it is read to make its vector: title, headings and the
// header of its table stand in front of the text.
func (c *Chunk) Embedded() string {
	var b strings.Builder
	b.WriteString(c.Title)
	for _, h := range c.HeadingPath {
		b.WriteString("\n" + h)
	}
	if c.Context != "" {
		b.WriteString("\n" + c.Context)
	}
	b.WriteString("\n" + c.Text)
	return b.String()
}
