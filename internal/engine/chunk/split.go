package chunk

import (
	"iter"
	"slices"
	"strings"

	"docqa/internal/engine/doc"
)

// The default sizes, in words.
const (
	defaultWords   = 180
	defaultOverlap = 40
)

// The bounds of a heading path, in headings and in code points of each.
const (
	deepest        = 8
	longestHeading = 200
)

// longestHeader bounds the bytes of a table's header: it is stored with every chunk of the
// table.
const longestHeader = 1000

// longestLead bounds the bytes that are kept of the text between two chunks: marks of lists and
// emphasis, rules, the line below a table's header.
const longestLead = 200

// Split cuts d into chunks. The title stands in front of every chunk in the index.
func Split(d *doc.Document, title string, o Options) []Chunk { return slices.Collect(All(d, title, o)) }

// All is Split for documents of any size: it holds a few chunks at a time.
func All(d *doc.Document, title string, o Options) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		s := splitter{title: title, yield: yield}
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
			if !s.split() {
				return
			}
		}
	}
}

// ruler returns how units are measured. If sizes are in characters, no chunk is larger than its
// size, so that the overlap and one unit must fit into it together.
func (s *splitter) ruler() ruler {
	if s.characters {
		return ruler{maxSize: s.maxSize() - s.overlapped, characters: true}
	}
	return ruler{maxSize: s.maxSize()}
}

type splitter struct {
	aim        int // size of a chunk, in words or characters
	overlapped int // the same of what a chunk repeats
	characters bool
	title      string
	page       *doc.Page
	ended      int       // byte of the page up to which it is in chunks; -1: in none yet
	path       []heading // the headings above the present place; they go on over pages
	header     string    // of the table that is going on
	chunks     int       // how many were yielded
	yield      func(Chunk) bool
}

type heading struct {
	level int
	text  string
}

// split cuts a page; false says that no more chunks are wanted.
func (s *splitter) split() bool {
	w, stop := windowOf(units(s.page, s.ruler()))
	defer stop()
	for from := 0; w.has(from); {
		sec := w.section(from, s.aim/3)
		if !s.section(sec) {
			return false
		}
		from = sec.scanned
		w.drop(from - 1) // the next section asks what stood before it
	}
	return true
}

// section cuts one section into chunks. The first chunk also holds the headings, so that no text
// is lost between neighbouring chunks.
func (s *splitter) section(sec *section) bool {
	from := sec.from
	for sec.has(from) && sec.at(from).kind == doc.Heading {
		from++
	}
	begin := s.lead(sec, from) // of the chunk; from is where new text begins
	if !s.headings(sec, begin) {
		return false
	}
	for i := begin; i < from; i++ {
		s.enter(sec.at(i))
	}
	path := s.titles()
	s.header = ""
	for sec.has(from) {
		to := s.fill(sec, begin, from)
		if !s.emit(sec.slice(begin, to), path, s.context(sec.at(begin))) {
			return false
		}
		for i := from; i < to; i++ {
			s.follow(sec, i)
		}
		begin = s.overlap(sec, begin, to)
		from = to
		sec.drop(begin - 1)
	}
	return true
}

// follow records the heading or table header that unit i sets for the chunks after it.
func (s *splitter) follow(sec *section, i int) {
	switch u := sec.at(i); u.kind {
	case doc.Heading:
		s.enter(u)
	case doc.TableHeader:
		if i > sec.from && sec.at(i-1).kind == doc.TableHeader && len(s.header)+len(u.text) < longestHeader {
			s.header += "\n" + u.text
		} else {
			s.header = u.text
		}
	case doc.Paragraph, doc.ListItem, doc.Code:
		s.header = "" // the table has ended
	case doc.TableRow:
	}
}

// lead returns the first of the headings that stand in one chunk with the text behind them,
// which begins at unit from. The headings fill at most a third of the chunk and leave enough
// space for the text.
func (s *splitter) lead(sec *section, from int) int {
	if !sec.has(from) {
		return from
	}
	i := from
	for space := min(s.aim/3, s.maxSize()-sec.at(from).size); i > sec.from; i-- {
		if space -= sec.at(i - 1).size; space < 0 {
			break
		}
	}
	return i
}

// headings cuts the section's headings before number end, which have no text, into chunks.
func (s *splitter) headings(sec *section, end int) bool {
	for from := sec.from; from < end; {
		to, n := from, 0
		for to < end && (to == from || n+sec.at(to).size <= s.aim) {
			n += sec.at(to).size
			s.enter(sec.at(to))
			to++
		}
		if !s.emit(sec.slice(from, to), s.titles(), "") {
			return false
		}
		from = to
	}
	return true
}

// fill returns the end of a chunk that begins at begin and repeats the units before from. The
// chunk ends with a block if its size is then 0.6 to 1.5 times the aim, else with a sentence.
func (s *splitter) fill(sec *section, begin, from int) int {
	n, edge := 0, -1 // edge: the last block that began late enough to end before it
	i := begin
	for ; sec.has(i); i++ {
		if i > from && sec.at(i).block != sec.at(i-1).block && n*5 >= s.aim*3 {
			edge = i
		}
		n += sec.at(i).size
		if n <= s.aim || i <= from {
			continue
		}
		to := i
		if edge >= 0 {
			to = edge
		} else if end, ok := sec.blockEnd(i, s.maxSize()-n); ok {
			to = end
		}
		if end, ok := sec.endWithin(i+1, s.aim+s.aim/4-n); ok { // the rest is too little for a chunk of its own
			to = end
		}
		return to
	}
	return i
}

// maxSize is the largest size of a chunk.
func (s *splitter) maxSize() int { return s.aim + s.aim/2 }

// blockEnd returns the number after the block of unit i. ok is false if the units of the block
// after i are together larger than space.
func (s *section) blockEnd(i, space int) (end int, ok bool) {
	for end = i + 1; s.has(end) && s.at(end).block == s.at(i).block; end++ {
		if space -= s.at(end).size; space < 0 {
			return 0, false
		}
	}
	return end, space >= 0
}

// endWithin returns the end of the section. ok is false if its units from i on are together
// larger than space; it then stops early.
func (s *section) endWithin(i, space int) (end int, ok bool) {
	for ; s.has(i); i++ {
		if space -= s.at(i).size; space < 0 {
			return 0, false
		}
	}
	return i, space >= 0
}

// overlap returns where the chunk after one that ended at end begins. It repeats as many whole
// units as fit, and no table rows.
func (s *splitter) overlap(sec *section, begin, end int) int {
	n, i := 0, end
	for i-1 > begin && sec.at(i-1).kind != doc.Heading && sec.at(i-1).kind != doc.TableHeader && sec.at(i-1).kind != doc.TableRow {
		n += sec.at(i - 1).size
		if n > s.overlapped {
			break
		}
		i--
	}
	return i
}

// context returns the header of the table if a chunk begins inside of one.
func (s *splitter) context(first *unit) string {
	if first.kind == doc.TableRow {
		return s.header
	}
	return ""
}

// enter records a heading.
func (s *splitter) enter(u *unit) {
	for len(s.path) > 0 && s.path[len(s.path)-1].level >= u.level {
		s.path = s.path[:len(s.path)-1]
	}
	if len(s.path) < deepest {
		s.path = append(s.path, heading{u.level, shortened(strings.Join(strings.Fields(u.text), " "))})
	}
}

// shortened shortens a heading, as it is stored with every chunk below it.
func shortened(text string) string {
	n := 0
	for i := range text {
		if n++; n > longestHeading {
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

// titles returns the heading path, without a heading that repeats the title.
func (s *splitter) titles() []string {
	out := []string{}
	for _, h := range s.path {
		if !strings.EqualFold(h.text, s.title) {
			out = append(out, h.text)
		}
	}
	return out
}

// emit yields the chunk of the given units, verbatim from the first to the last.
func (s *splitter) emit(all []unit, path []string, context string) bool {
	if len(all) == 0 {
		return true
	}
	first, last := all[0], all[len(all)-1]
	lead := ""
	if n := first.from - s.ended; s.ended >= 0 && n > 0 && n <= longestLead {
		lead = s.page.Text[s.ended:first.from]
	}
	s.ended = last.to
	s.chunks++
	return s.yield(Chunk{
		Ordinal: s.chunks - 1, Page: s.page.Number, Start: first.start, End: last.end, Title: s.title,
		HeadingPath: path, Context: context, Text: s.page.Text[first.from:last.to],
		Lead: lead,
	})
}
