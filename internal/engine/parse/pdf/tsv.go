package pdf

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"unicode/utf8"

	"docqa/internal/engine/parse"
)

// word is a word of a line. Only its place in the line is kept: a large file has millions of words.
type word struct {
	text        string
	left, right float32
}

// line is a line of a block as poppler found it, with its box in points from the top
// left corner of the page.
type line struct {
	words                    []word
	block                    int // counts the blocks of the page
	left, top, right, bottom float64
	lastLeft, lastTop        float64 // of the last word
	narrow, wide             float64 // the least and the greatest width of a letter, over the words
	order                    int     // counts the lines of the page as poppler gives them
	margin                   bool    // it is a running head or foot
}

// page is a page in poppler's reading order.
type page struct {
	number        int
	width, height float64
	lines         []line
}

// The columns and levels of the table that pdftotext prints.
const (
	colLevel, colPage, colLeft, colTop, colWidth, colHeight, colText = 0, 1, 6, 7, 8, 9, 11

	levelPage, levelBlock, levelLine, levelWord = 1, 3, 4, 5
)

// readPages reads the output of pdftotext -tsv.
func readPages(r io.Reader) ([]page, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), 1<<20)
	var pages []page
	block, size := 0, 0
	for s.Scan() {
		f := fields(s.Bytes())
		if f == nil {
			continue
		}
		level, err := strconv.Atoi(string(f[colLevel]))
		if err != nil {
			continue // the heading of the table
		}
		if level == levelPage {
			if len(pages) >= parse.MaxPages {
				return nil, parse.TooManyPages()
			}
			n, _ := strconv.Atoi(string(f[colPage]))
			pages = append(pages, page{number: n, width: float(f[colWidth]), height: float(f[colHeight])})
			continue
		}
		if len(pages) == 0 {
			continue
		}
		p := &pages[len(pages)-1]
		switch level {
		case levelBlock:
			block++
		case levelLine:
			p.lines = append(p.lines, line{block: block})
		case levelWord:
			if len(p.lines) == 0 {
				p.lines = append(p.lines, line{block: block})
			}
			if size += p.lines[len(p.lines)-1].add(f) + 1; size > parse.MaxText {
				return nil, parse.TooLong()
			}
		}
	}
	if err := s.Err(); err != nil {
		return nil, parse.Failed(err)
	}
	return pages, nil
}

// fields cuts a row into its twelve columns, nil where there are fewer.
func fields(row []byte) [][]byte {
	f := make([][]byte, 0, colText+1)
	for len(f) < colText {
		i := bytes.IndexByte(row, '\t')
		if i < 0 {
			return nil
		}
		f = append(f, row[:i])
		row = row[i+1:]
	}
	return append(f, row)
}

func float(b []byte) float64 {
	v, _ := strconv.ParseFloat(string(b), 64)
	if v != v || v > 1e6 || v < -1e6 { // not a number, or no place on any page
		return 0
	}
	return v
}

// add appends the word of a row and returns the size of its text.
func (l *line) add(f [][]byte) int {
	text, left, top := clean(f[colText]), float(f[colLeft]), float(f[colTop])
	if text == "" || l.overprinted(text, left, top) {
		return 0
	}
	right, bottom := left+float(f[colWidth]), top+float(f[colHeight])
	if len(l.words) == 0 {
		l.left, l.top, l.right, l.bottom = left, top, right, bottom
	}
	l.left, l.top = min(l.left, left), min(l.top, top)
	l.right, l.bottom = max(l.right, right), max(l.bottom, bottom)
	l.words = append(l.words, word{text, float32(left), float32(right)})
	if n := utf8.RuneCountInString(text); n > 1 {
		width := float(f[colWidth]) / float64(n)
		if l.wide == 0 {
			l.narrow = width
		}
		l.narrow, l.wide = min(l.narrow, width), max(l.wide, width)
	}
	l.lastLeft, l.lastTop = left, top
	return len(text)
}

// overprinted tells whether a word stands on top of the same word: bold type made by
// printing twice.
func (l *line) overprinted(text string, left, top float64) bool {
	if len(l.words) == 0 {
		return false
	}
	return l.words[len(l.words)-1].text == text && near(l.lastLeft, left, 1.5) && near(l.lastTop, top, 1.5)
}

func near(a, b, distance float64) bool { return a-b < distance && b-a < distance }

func (l *line) height() float64 { return l.bottom - l.top }
func (l *line) middle() float64 { return (l.top + l.bottom) / 2 }
