package chunk

import (
	"iter"

	"docqa/internal/engine/doc"
)

// window holds those units of a page that were read and are still needed. A chunk depends on few
// of the units after it, so a file of any size needs the memory of a few chunks. Units are
// numbered within the page.
type window struct {
	next func() (unit, bool)
	list []unit
	base int // number of list[0]
	done bool
}

// windowOf reads units as they are needed. stop must be called at the end.
func windowOf(all iter.Seq[unit]) (w *window, stop func()) {
	next, stop := iter.Pull(all)
	return &window{next: next}, stop
}

// has tells whether unit i exists. It must not be dropped yet.
func (w *window) has(i int) bool {
	for !w.done && i >= w.base+len(w.list) {
		u, ok := w.next()
		if !ok {
			w.done = true
			break
		}
		w.list = append(w.list, u)
	}
	return i < w.base+len(w.list)
}

// at returns unit i. The caller must have called has(i).
func (w *window) at(i int) *unit { return &w.list[i-w.base] }

// slice returns the units from one number up to another.
func (w *window) slice(from, to int) []unit { return w.list[from-w.base : to-w.base] }

// drop forgets the units before number i.
func (w *window) drop(i int) {
	n := i - w.base
	if n < len(w.list)/2 || n == 0 {
		return // moved rarely, so that each unit is moved about once
	}
	w.list = append(w.list[:0], w.list[n:]...)
	w.base = i
}

// section is a range of units that chunks do not cross. It ends before the next heading, if it
// holds enough text.
type section struct {
	*window

	from    int
	level   int // of the section's first heading
	enough  int // size of text after which a heading begins the next section
	scanned int // units before this number belong to the section
	size    int // of the text up to there
	ended   bool
}

// section returns the section that begins at unit from. The caller must have called has(from).
func (w *window) section(from, enough int) *section {
	return &section{window: w, from: from, level: w.at(from).level, enough: enough, scanned: from}
}

// has tells whether unit i exists and belongs to the section.
func (s *section) has(i int) bool {
	for !s.ended && s.scanned <= i {
		if !s.window.has(s.scanned) || s.begins(s.scanned) {
			s.ended = true
			break
		}
		if u := s.at(s.scanned); u.kind != doc.Heading {
			s.size += u.size
		}
		s.scanned++
	}
	return i < s.scanned
}

// begins tells whether unit number i begins the next section.
func (s *section) begins(i int) bool {
	if i == s.from || s.at(i).kind != doc.Heading || s.at(i-1).kind == doc.Heading {
		return false
	}
	return s.size >= s.enough || s.at(i).level < s.level
}
