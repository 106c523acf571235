package doc

import "slices"

// Reason says why text of a file is in no block.
type Reason string

// The reasons why text is left out.
const (
	Navigation   Reason = "navigation"   // menus, heads and feet of a site, links that only lead elsewhere
	Surroundings Reason = "surroundings" // what stands beside an article: comments, advertising, related pages
	Hidden       Reason = "hidden"       // text that its author switched off
	RunningHead  Reason = "running_head" // heads, feet and numbers of pages
)

// Reasons returns all reasons.
func Reasons() []Reason { return []Reason{Navigation, Surroundings, Hidden, RunningHead} }

// LeftOut is text that is in no block.
type LeftOut struct {
	Reason     Reason
	Characters int // code points, more than 0
}

// LeaveOut counts text that is left out.
func (d *Document) LeaveOut(reason Reason, characters int) {
	if characters <= 0 {
		return
	}
	if i := slices.IndexFunc(d.LeftOut, func(l LeftOut) bool { return l.Reason == reason }); i >= 0 {
		d.LeftOut[i].Characters += characters
		return
	}
	d.LeftOut = append(d.LeftOut, LeftOut{reason, characters})
}

// Characters is the length of the text of all blocks, in code points.
func (d *Document) Characters() int {
	n := 0
	for i := range d.Pages {
		for _, b := range d.Pages[i].Blocks {
			n += b.End - b.Start
		}
	}
	return n
}
