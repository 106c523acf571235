package chunk

import (
	"strings"

	"docqa/internal/engine/doc"
)

// The sizes that Options' zero value stands for, and the smallest section that is
// not joined with the next one, all in words.
const (
	defaultWords   = 180
	defaultOverlap = 40
	smallSection   = 60
)

// The bounds of a heading path, in headings and in code points of each.
const (
	deepest        = 8
	longestHeading = 200
)

// Split cuts d into chunks. The title stands in front of every chunk in the index.
func Split(d *doc.Document, title string, o Options) []Chunk {
	if o.Words <= 0 {
		o.Words = defaultWords
		o.Overlap = defaultOverlap
	}
	o.Overlap = min(max(o.Overlap, 0), o.Words/2)
	s := splitter{o: o, title: title}
	for i := range d.Pages {
		s.page = &d.Pages[i]
		s.split(units(s.page, s.most()))
	}
	return s.out
}

type splitter struct {
	o     Options
	title string
	page  *doc.Page
	path  []heading // the headings above the present place; they go on over pages
	out   []Chunk
}

type heading struct {
	level int
	text  string
}

// split cuts the units of one page.
func (s *splitter) split(all []unit) {
	for from := 0; from < len(all); {
		to := section(all, from)
		s.section(all[from:to])
		from = to
	}
}

// section is the end of the section that begins at from: the next heading, where
// enough was said before it.
func section(all []unit, from int) int {
	n := 0
	for i := from; i < len(all); i++ {
		if i > from && all[i].kind == doc.Heading && all[i-1].kind != doc.Heading && (n >= smallSection || all[i].level < all[from].level) {
			return i
		}
		if all[i].kind != doc.Heading {
			n += all[i].words
		}
	}
	return len(all)
}

// section cuts one section into chunks. Its headings stand in the first one, too, so
// that neighbouring chunks leave no text out.
func (s *splitter) section(all []unit) {
	from := 0
	for from < len(all) && all[from].kind == doc.Heading {
		from++
	}
	begin := s.lead(all, from) // of the chunk; from is where new text begins
	s.headings(all[:begin])
	for _, u := range all[begin:from] {
		s.enter(u)
	}
	path, header := s.titles(), ""
	for from < len(all) {
		to := s.fill(all, begin, from)
		s.emit(all[begin:to], path, context(all[begin], header))
		for _, u := range all[from:to] {
			switch u.kind {
			case doc.Heading:
				s.enter(u)
			case doc.TableHeader:
				header = u.text
			case doc.Paragraph, doc.ListItem, doc.TableRow, doc.Code:
			}
		}
		from = to
		begin = s.overlap(all, begin, from)
	}
}

// lead is where the headings begin that stand in a chunk with the text behind them, from
// place from: as many as are a third of it.
func (s *splitter) lead(all []unit, from int) int {
	if from == len(all) {
		return from
	}
	n, i := 0, from
	for i > 0 {
		if n += all[i-1].words; n > s.o.Words/3 {
			break
		}
		i--
	}
	return i
}

// headings cuts headings without a text into chunks.
func (s *splitter) headings(all []unit) {
	for from := 0; from < len(all); {
		to, n := from, 0
		for to < len(all) && (to == from || n+all[to].words <= s.o.Words) {
			n += all[to].words
			s.enter(all[to])
			to++
		}
		s.emit(all[from:to], s.titles(), "")
		from = to
	}
}

// fill is the end of a chunk that begins at begin and repeats what lies before from.
// It ends with a block where that keeps its size between 0.6 and 1.5 times what is
// aimed at, else with a sentence.
func (s *splitter) fill(all []unit, begin, from int) int {
	n, edge := 0, -1 // edge: the last block that began late enough to end before it
	for i := begin; i < len(all); i++ {
		if i > from && all[i].block != all[i-1].block && n*5 >= s.o.Words*3 {
			edge = i
		}
		n += all[i].words
		if n <= s.o.Words || i <= from {
			continue
		}
		to := i
		if edge >= 0 {
			to = edge
		} else if end, ok := blockEnd(all, i, s.most()-n); ok {
			to = end
		}
		if within(all[i+1:], s.o.Words+s.o.Words/4-n) { // the rest is too little for a chunk of its own
			to = len(all)
		}
		return to
	}
	return len(all)
}

// most is the size in words that a chunk keeps below.
func (s *splitter) most() int { return s.o.Words + s.o.Words/2 }

// blockEnd is the place after the block that unit i belongs to, if what the block has
// after i is within so many words.
func blockEnd(all []unit, i, words int) (end int, ok bool) {
	for end = i + 1; end < len(all) && all[end].block == all[i].block; end++ {
		if words -= all[end].words; words < 0 {
			return 0, false
		}
	}
	return end, words >= 0
}

// within tells whether the units have at most so many words; it looks no further
// than it must.
func within(all []unit, words int) bool {
	for _, u := range all {
		if words -= u.words; words < 0 {
			return false
		}
	}
	return words >= 0
}

// overlap is where the chunk after one that ended at end begins: whole units again,
// as many as fit, none of a table.
func (s *splitter) overlap(all []unit, begin, end int) int {
	n, i := 0, end
	for i-1 > begin && all[i-1].kind != doc.Heading && all[i-1].kind != doc.TableHeader && all[i-1].kind != doc.TableRow {
		n += all[i-1].words
		if n > s.o.Overlap {
			break
		}
		i--
	}
	return i
}

// context is the header of the table that a chunk begins inside of.
func context(first unit, header string) string {
	if first.kind == doc.TableRow {
		return header
	}
	return ""
}

// enter notes a heading.
func (s *splitter) enter(u unit) {
	for len(s.path) > 0 && s.path[len(s.path)-1].level >= u.level {
		s.path = s.path[:len(s.path)-1]
	}
	if len(s.path) < deepest {
		s.path = append(s.path, heading{u.level, shortened(strings.Join(strings.Fields(u.text), " "))})
	}
}

// shortened bounds a heading: it stands with every chunk below it.
func shortened(text string) string {
	n := 0
	for i := range text {
		if n++; n > longestHeading {
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

// titles is the heading path, without a heading that repeats the title.
func (s *splitter) titles() []string {
	out := []string{}
	for _, h := range s.path {
		if !strings.EqualFold(h.text, s.title) {
			out = append(out, h.text)
		}
	}
	return out
}

// emit appends the chunk of the given units, verbatim from the first to the last.
func (s *splitter) emit(all []unit, path []string, context string) {
	if len(all) == 0 {
		return
	}
	first, last := all[0], all[len(all)-1]
	s.out = append(s.out, Chunk{
		Ordinal: len(s.out), Page: s.page.Number, Start: first.start, End: last.end, Title: s.title,
		HeadingPath: path, Context: context, Text: s.page.Text[first.from:last.to],
	})
}
