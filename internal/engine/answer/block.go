package answer

import (
	"slices"
	"strings"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/statement"
)

const (
	alikeShare       = 0.75 // a title asks the same if it and the question share this part of their words
	blockWords       = 90   // maximum number of words of an answer from one block
	sectionSentences = 3    // maximum number of its sentences
)

// block returns the statements under a question or a heading of a document that asks the
// same as the question: the answer as its author gave it. It returns nil if there is none.
func (x *question) block(passages []Passage, all []quotation) []quotation {
	place, highest := -1, 0.0
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
			if like > highest {
				place, highest = i, like
			}
		}
	}
	if place < 0 {
		return nil
	}
	first := &all[place]
	byQuestion := known[first.Asked] == highest && first.Asked != ""
	var out []quotation
	words := 0
	for i := place; i < len(all) && all[i].passage == first.passage; i++ {
		s := &all[i]
		if byQuestion && s.Asked != first.Asked || !byQuestion && x.section(passages, s) != x.section(passages, first) {
			break
		}
		if !s.quotable() {
			continue
		}
		if words += s.words; len(out) > 0 && words > blockWords || len(out) == sectionSentences {
			break
		}
		out = append(out, *s)
	}
	return out
}

// ofNamedEntries returns the statements without those of other entries if the question asks for the
// default of an entry that is there: the default of another entry is no answer.
func (x *question) ofNamedEntries(all []quotation) []quotation {
	named := func(s quotation) bool { return x.matchEntry(s.Term) == exactNamed }
	if x.expected != aDefault || !slices.ContainsFunc(all, named) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(s quotation) bool {
		return s.Term != "" && x.matchEntry(s.Term) == notNamed && x.lacksNames(s.text) > 0
	})
}

// saysNoDefault reports whether the question asks for the default of an entry that is there, and
// nothing says a default of it.
func (x *question) saysNoDefault(all []quotation) bool {
	known := false
	for i := range all {
		s := &all[i]
		own := x.matchEntry(s.Term) == exactNamed
		if own || x.lacksNames(s.text) == 0 {
			known = known || own
			if saysDefault(s) || x.setsValue(s.Term) || s.Kind == statement.Row {
				return false
			}
		}
	}
	return known && x.expected == aDefault
}

// saysDefault reports whether a statement says which value a setting has that nobody set.
func saysDefault(s *quotation) bool {
	return containsAny(s.folded, []string{
		"default", "standardm", "voreinge", "predetermin", "par défaut", "if omitted", "if unset", "if not specified", "if not given", "without this option", "initially",
	})
}

// section returns the heading right above a statement.
func (x *question) section(passages []Passage, s *quotation) string {
	if s.Section != "" {
		return s.Section
	}
	if path := passages[s.passage].HeadingPath; len(path) > 0 {
		return path[len(path)-1]
	}
	return ""
}

// alikeTitle returns how much a question or heading of a document asks the same as the
// question: the share of words that both have. It is 0 if that is too little, or if only
// one of them contains a negation. Words of the document's title count as repeated.
func (x *question) alikeTitle(title, document string) float64 {
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
func (x *question) plainTitle(title string) bool {
	return expects(title) == anything && (x.expected == anything || x.expected == aMeaning)
}

func asksAny(title string) bool { return strings.HasSuffix(title, "?") }

// selection says why the statements of an answer were selected.
type selection uint8

const (
	byChance  selection = iota
	byHeading           // they stand under a heading or a question that asks the same
	goingOn             // the first one continues a short question, see goesOn
)

// compose selects the statements of the answer.
func (x *question) compose(passages []Passage, all []quotation, o Options) ([]quotation, selection) {
	all = x.ofNamedEntries(all)
	if list := x.block(passages, all); len(list) > 0 {
		list = x.gather(list, all)
		return list[:min(len(list), o.Sentences)], byHeading
	}
	chosen := selectStatements(all, o)
	if i := slices.IndexFunc(chosen, x.goesOn); i >= 0 {
		first := chosen[i]
		return x.gather(slices.Insert(slices.Delete(chosen, i, i+1), 0, first), all), goingOn
	}
	return x.gather(chosen, all), byChance
}

const (
	elliptic     = 2   // a question with so few words is understood only with the turns before it
	earlierShare = 0.5 // its answer must hold this share of the words of those turns
)

// goesOn tells whether the question is too short to be understood by itself ("And the
// frame?"), and the statement holds all of its words and enough of the turns before it.
func (x *question) goesOn(s quotation) bool {
	current, before, earlier := 0, 0, 0
	for i, w := range x.q.Words {
		switch {
		case w.Current && !s.own[i]:
			return false
		case w.Current:
			current++
		default:
			before++
			earlier += int(btof(s.own[i]))
		}
	}
	return current > 0 && current <= elliptic && before > 0 && float64(earlier) >= earlierShare*float64(before)
}

// priced tells whether a column with this name holds amounts of money.
func priced(column string) bool {
	return slices.ContainsFunc([]string{"price", "cost", "fee", "rate", "charge", "amount", "preis", "kosten", "gebühr", "precio", "coste", "prix", "prezzo", "цена"}, func(w string) bool {
		return strings.Contains(lower(column), w)
	})
}

// cell returns 1 if the question names a row and one of its columns, and less if it names
// only one of them.
func (x *question) cell(s *quotation) float64 {
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
