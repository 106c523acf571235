package answer

import (
	"slices"
	"strings"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/statement"
)

const (
	alikeShare  = 0.75 // of the words of the question and of a title that must be the other's
	blockWords  = 90   // that an answer from one block has
	sectionMost = 3    // sentences of a section
)

// block is what stands under a question or a heading that asks what the question asks:
// the answer, as its author gave it, or nil.
func (x *inquiry) block(passages []Passage, all []quotation) []quotation {
	best, most := -1, 0.0
	known := map[string]float64{}
	for i := range all {
		s := &all[i]
		for _, title := range []string{s.Asked, x.section(passages, s)} {
			if title == "" || !s.quotable() {
				continue
			}
			like, ok := known[title]
			if !ok {
				like = x.alikeTitle(title, passages[s.passage].Title)
				known[title] = like
			}
			if like > most {
				best, most = i, like
			}
		}
	}
	if best < 0 {
		return nil
	}
	first := &all[best]
	byQuestion := known[first.Asked] == most && first.Asked != ""
	var out []quotation
	words := 0
	for i := best; i < len(all) && all[i].passage == first.passage; i++ {
		s := &all[i]
		if byQuestion && s.Asked != first.Asked || !byQuestion && x.section(passages, s) != x.section(passages, first) {
			break
		}
		if !s.quotable() {
			continue
		}
		if words += s.words; len(out) > 0 && words > blockWords || len(out) == sectionMost {
			break
		}
		out = append(out, *s)
	}
	return out
}

// section is the heading right above a statement.
func (x *inquiry) section(passages []Passage, s *quotation) string {
	if s.Section != "" {
		return s.Section
	}
	if path := passages[s.passage].HeadingPath; len(path) > 0 {
		return path[len(path)-1]
	}
	return ""
}

// alikeTitle tells how much a question or heading of a document asks the same: the share
// of words that both have, 0 where that is too little or one of them excludes what the
// other does not. What the document's title says need not be repeated.
func (x *inquiry) alikeTitle(title, document string) float64 {
	title = strings.TrimLeft(title, "0123456789. ")
	if negative(lower(strings.TrimRight(title, "?？ "))) != x.negative {
		return 0
	}
	seen, above := x.none(), x.none()
	x.note(seen, title)
	x.note(above, document)
	here, current, common := 0.0, 0.0, 0
	for i, w := range x.q.Words {
		if w.Current {
			current += w.Weight
			if seen[i] || above[i] {
				here += w.Weight
			}
			common += int(btof(seen[i]))
		}
	}
	if current == 0 || here/current < alikeShare || x.expected != expects(title) && (asksAny(title) || x.expected != anything) && !x.plainTitle(title) {
		return 0
	}
	there := float64(common) / float64(max(len(lexical.NewStats().Question(title).Words), 1))
	if there < alikeShare {
		return 0
	}
	return min(here/current, there)
}

// plainTitle tells whether a title names what the question asks about without asking
// for one kind of thing.
func (x *inquiry) plainTitle(title string) bool {
	return expects(title) == anything && (x.expected == anything || x.expected == aMeaning)
}

func asksAny(title string) bool { return strings.HasSuffix(title, "?") }

// compose picks the statements of the answer; told says that they stand under a title
// that asks the same, or that they go on where a short question leaves off.
func (x *inquiry) compose(passages []Passage, all []quotation, o Options) (chosen []quotation, told bool) {
	if list := x.block(passages, all); len(list) > 0 {
		list = x.gather(list, all)
		return list[:min(len(list), o.Sentences)], true
	}
	chosen = choose(all, o)
	if i := slices.IndexFunc(chosen, x.goesOn); i >= 0 {
		first := chosen[i]
		chosen, told = slices.Insert(slices.Delete(chosen, i, i+1), 0, first), true
	}
	return x.gather(chosen, all), told
}

const (
	elliptic   = 2   // words of a question that lives on the turns before
	takenShare = 0.5 // of the words of those turns that an answer to it holds
)

// goesOn tells whether the question is too short to be judged by itself ("And the
// frame?"), and the statement holds all of it and takes up what the turns before asked.
func (x *inquiry) goesOn(s quotation) bool {
	current, before, taken := 0, 0, 0
	for i, w := range x.q.Words {
		switch {
		case w.Current && !s.own[i]:
			return false
		case w.Current:
			current++
		default:
			before++
			taken += int(btof(s.own[i]))
		}
	}
	return current > 0 && current <= elliptic && before > 0 && float64(taken) >= takenShare*float64(before)
}

// priced tells whether the name of a column is that of an amount of money.
func priced(column string) bool {
	return slices.ContainsFunc([]string{"price", "cost", "fee", "rate", "charge", "amount", "preis", "kosten", "gebühr", "precio", "coste", "prix", "prezzo", "цена"}, func(w string) bool {
		return strings.Contains(lower(column), w)
	})
}

// cell is 1 where the question names a row and one of its columns, less where it names
// only one of them.
func (x *inquiry) cell(s *quotation) float64 {
	if s.Kind != statement.Row || s.Label == "" {
		return 0
	}
	named, other := x.none(), x.none() // words that name a column, and the label
	column := 0.0
	for _, c := range s.Cells {
		if hits := x.find.Find(c.Column).Hits; len(hits) > 0 {
			column = 1
			x.note(named, c.Column)
		}
		if x.expected == aMoney && priced(c.Column) {
			column = 1
		}
	}
	x.note(other, s.Label)
	all, found := 0.0, 0.0
	for i, w := range x.q.Words {
		if named[i] || !w.Current || x.expected == aMoney && priced(w.Surface) {
			continue
		}
		all += w.Weight
		if other[i] {
			found += w.Weight
		}
	}
	return (ratio(found, all) + column) / 2
}
