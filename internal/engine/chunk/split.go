package chunk

import (
	"strings"

	"docqa/internal/engine/doc"
)

// The sizes that Options' zero value stands for, in words.
const (
	defaultWords   = 180
	defaultOverlap = 40
)

// The bounds of a heading path, in headings and in code points of each.
const (
	deepest        = 8
	longestHeading = 200
)

// longestHeader bounds in bytes the rows that a table's header is joined of: it stands
// with every chunk of the table.
const longestHeader = 1000

// longestLead bounds in bytes what is kept of the text between two chunks: markers of lists and
// emphasis, rules, the line below a table's header.
const longestLead = 200

// Split cuts d into chunks. The title stands in front of every chunk in the index.
func Split(d *doc.Document, title string, o Options) []Chunk {
	s := splitter{title: title}
	switch {
	case o.Characters > 0:
		s.aim, s.overlapped, s.characters = o.Characters*2/3, min(max(o.Overlap, 0), o.Characters/2), true
	case o.Words > 0:
		s.aim, s.overlapped = o.Words, min(max(o.Overlap, 0), o.Words/2)
	default:
		s.aim, s.overlapped = defaultWords, defaultOverlap
	}
	for i := range d.Pages {
		s.page, s.ended = &d.Pages[i], -1
		s.split(s.units())
	}
	return s.out
}

// units cuts the page. In characters no chunk gets larger than its size, so that what is
// repeated and one unit must fit into it together.
func (s *splitter) units() []unit {
	if s.characters {
		return units(s.page, ruler{most: s.most() - s.overlapped, characters: true})
	}
	return units(s.page, ruler{most: s.most()})
}

type splitter struct {
	aim        int // size of a chunk, in words or characters
	overlapped int // the same of what a chunk repeats
	characters bool
	title      string
	page       *doc.Page
	ended      int       // byte of the page up to which it is in chunks; -1: in none yet
	path       []heading // the headings above the present place; they go on over pages
	out        []Chunk
}

type heading struct {
	level int
	text  string
}

// split cuts the units of one page.
func (s *splitter) split(all []unit) {
	for from := 0; from < len(all); {
		to := s.sectionEnd(all, from)
		s.section(all[from:to])
		from = to
	}
}

// sectionEnd is the end of the section that begins at from: the next heading, where
// enough was said before it, a third of a chunk.
func (s *splitter) sectionEnd(all []unit, from int) int {
	n := 0
	for i := from; i < len(all); i++ {
		if i > from && all[i].kind == doc.Heading && all[i-1].kind != doc.Heading && (n >= s.aim/3 || all[i].level < all[from].level) {
			return i
		}
		if all[i].kind != doc.Heading {
			n += all[i].size
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
		for i, u := range all[from:to] {
			switch u.kind {
			case doc.Heading:
				s.enter(u)
			case doc.TableHeader:
				if at := from + i; at > 0 && all[at-1].kind == doc.TableHeader && len(header)+len(u.text) < longestHeader {
					header += "\n" + u.text
				} else {
					header = u.text
				}
			case doc.Paragraph, doc.ListItem, doc.Code:
				header = "" // the table has ended
			case doc.TableRow:
			}
		}
		from = to
		begin = s.overlap(all, begin, from)
	}
}

// lead is where the headings begin that stand in a chunk with the text behind them, from
// place from: as many as are a third of it and leave room for that text.
func (s *splitter) lead(all []unit, from int) int {
	if from == len(all) {
		return from
	}
	i := from
	for room := min(s.aim/3, s.most()-all[from].size); i > 0; i-- {
		if room -= all[i-1].size; room < 0 {
			break
		}
	}
	return i
}

// headings cuts headings without a text into chunks.
func (s *splitter) headings(all []unit) {
	for from := 0; from < len(all); {
		to, n := from, 0
		for to < len(all) && (to == from || n+all[to].size <= s.aim) {
			n += all[to].size
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
		if i > from && all[i].block != all[i-1].block && n*5 >= s.aim*3 {
			edge = i
		}
		n += all[i].size
		if n <= s.aim || i <= from {
			continue
		}
		to := i
		if edge >= 0 {
			to = edge
		} else if end, ok := blockEnd(all, i, s.most()-n); ok {
			to = end
		}
		if within(all[i+1:], s.aim+s.aim/4-n) { // the rest is too little for a chunk of its own
			to = len(all)
		}
		return to
	}
	return len(all)
}

// most is the size that a chunk keeps below.
func (s *splitter) most() int { return s.aim + s.aim/2 }

// blockEnd is the place after the block that unit i belongs to, if what the block has
// after i is no larger than room.
func blockEnd(all []unit, i, room int) (end int, ok bool) {
	for end = i + 1; end < len(all) && all[end].block == all[i].block; end++ {
		if room -= all[end].size; room < 0 {
			return 0, false
		}
	}
	return end, room >= 0
}

// within tells whether the units are together no larger than room; it looks no further
// than it must.
func within(all []unit, room int) bool {
	for _, u := range all {
		if room -= u.size; room < 0 {
			return false
		}
	}
	return room >= 0
}

// overlap is where the chunk after one that ended at end begins: whole units again,
// as many as fit, none of a table.
func (s *splitter) overlap(all []unit, begin, end int) int {
	n, i := 0, end
	for i-1 > begin && all[i-1].kind != doc.Heading && all[i-1].kind != doc.TableHeader && all[i-1].kind != doc.TableRow {
		n += all[i-1].size
		if n > s.overlapped {
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
	lead := ""
	if n := first.from - s.ended; s.ended >= 0 && n > 0 && n <= longestLead {
		lead = s.page.Text[s.ended:first.from]
	}
	s.ended = last.to
	s.out = append(s.out, Chunk{
		Ordinal: len(s.out), Page: s.page.Number, Start: first.start, End: last.end, Title: s.title,
		HeadingPath: path, Context: context, Text: s.page.Text[first.from:last.to],
		Lead: lead,
	})
}
