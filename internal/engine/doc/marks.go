package doc

import "encoding/binary"

// Mark is the place of a block, or of the part of one, in a piece of a document's text.
type Mark struct {
	Kind      Kind
	Level     int  // as a Block's, at most MaxLevel
	Continued bool // the block began before the piece
	Start     int  // byte in the piece
	End       int  // byte after the last
}

// Marks are the blocks of a piece of text, in its order and without overlap.
type Marks struct {
	List     []Mark
	Markdown bool // as in Document
}

// MaxLevel is the greatest level that a Mark has.
const MaxLevel = 7

// The first byte of packed marks.
const (
	packedPlain    = 1
	packedMarkdown = 2
)

// continued is a bit of the byte that begins a packed mark: kind, continued, level.
const continued = MaxLevel + 1

// Pack writes marks in three to five bytes each. Without marks it returns nil.
func (m Marks) Pack() []byte {
	if len(m.List) == 0 {
		return nil
	}
	out := []byte{packedPlain}
	if m.Markdown {
		out[0] = packedMarkdown
	}
	end := 0
	for _, k := range m.List {
		head := byte(k.Kind)<<4 | byte(min(max(k.Level, 0), MaxLevel))
		if k.Continued {
			head |= continued
		}
		out = append(out, head)
		out = binary.AppendUvarint(out, uint64(max(k.Start-end, 0)))
		out = binary.AppendUvarint(out, uint64(max(k.End-k.Start, 0)))
		end = k.End
	}
	return out
}

// Unpack reads packed marks of a text of size bytes. ok is false for bytes that Pack cannot
// have written for such a text. No bytes give no marks.
func Unpack(packed []byte, size int) (m Marks, ok bool) {
	if len(packed) == 0 {
		return Marks{}, true
	}
	if packed[0] != packedPlain && packed[0] != packedMarkdown {
		return Marks{}, false
	}
	m.Markdown = packed[0] == packedMarkdown
	end := 0
	for packed = packed[1:]; len(packed) > 0; {
		k := Mark{Kind: Kind(packed[0] >> 4), Level: int(packed[0] & MaxLevel), Continued: packed[0]&continued != 0}
		gap, n := binary.Uvarint(packed[1:])
		if n <= 0 || gap > uint64(size) || k.Kind >= kinds {
			return Marks{}, false
		}
		packed = packed[1+n:]
		length, n := binary.Uvarint(packed)
		if n <= 0 || length == 0 || uint64(end)+gap+length > uint64(size) {
			return Marks{}, false
		}
		packed = packed[n:]
		k.Start = end + int(gap)
		k.End = k.Start + int(length)
		end = k.End
		m.List = append(m.List, k)
	}
	return m, true
}

// Join returns the marks of a text that begins with m's piece and in which the other piece
// begins at byte offset. What both cover is the first's; a block that goes on in the second
// piece is one block.
func (m Marks) Join(second Marks, offset int) Marks {
	if len(m.List) == 0 || len(second.List) == 0 {
		return Marks{} // what is known of a part alone would be taken for the whole
	}
	out := Marks{Markdown: m.Markdown, List: append([]Mark(nil), m.List...)}
	last := &out.List[len(out.List)-1]
	for _, k := range second.List {
		k.Start, k.End = k.Start+offset, k.End+offset
		switch {
		case k.End <= last.End:
		case k.Start < last.End || k.Continued && k.Kind == last.Kind:
			last.End = k.End
		default:
			out.List = append(out.List, k)
			last = &out.List[len(out.List)-1]
		}
	}
	return out
}
