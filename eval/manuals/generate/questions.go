package generate

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"docqa/eval/manuals"
	"docqa/eval/manuals/source"
)

const (
	perDocument = 30
	seed        = 1
)

// perKind bounds the questions of a kind in a document, so that long lists of options do not outweigh the rest.
var perKind = map[manuals.Kind]int{ //nolint:gochecknoglobals // a table
	manuals.Default: 12, manuals.Option: 10, manuals.Definition: 8, manuals.Command: 8, manuals.Table: 6, manuals.Heading: 6,
	manuals.Version: 4, manuals.Near: nearPerDocument,
}

// Questions returns the questions on the documents of one set.
func Questions(documents []*Document) []manuals.Question {
	m := &maker{names: map[string]int{}, headings: map[string]int{}, fullStops: map[*Document]bool{}}
	for _, d := range documents {
		stops := 0
		for i := range d.entries {
			m.names[m.key(d, d.entries[i].name)]++
			if strings.HasSuffix(firstSentence(d.entries[i].body), ".") {
				stops++
			}
		}
		m.fullStops[d] = 2*stops > len(d.entries)
		for _, s := range d.sections {
			m.headings[strings.ToLower(clean(s.heading))]++
		}
	}
	said := lowered(documents)
	var all []manuals.Question
	for _, d := range documents {
		all = append(all, m.onDocument(d, said)...)
	}
	count := map[string]int{}
	for i := range all {
		count[strings.ToLower(all[i].Question)]++
	}
	return slices.DeleteFunc(all, func(q manuals.Question) bool { return count[strings.ToLower(q.Question)] > 1 })
}

type maker struct {
	names    map[string]int // how many entries of the set have a name
	headings map[string]int

	fullStops map[*Document]bool // whether most entries of a document are explained in sentences with a full stop
}

// key is what must be unique: the name, in a manual page with the program.
func (m *maker) key(d *Document, name string) string {
	if d.isManPage() {
		return d.Name + " " + name
	}
	return name
}

// onDocument returns the questions on a document: of each kind the first ones in the order of their hashes.
func (m *maker) onDocument(d *Document, said []string) []manuals.Question {
	list := slices.Concat(m.onEntries(d), onExamples(d), onRows(d), m.onSections(d))
	list = slices.DeleteFunc(list, func(q manuals.Question) bool { return !isSound(d, &q) })
	list = append(list, m.absent(d, said)...)
	slices.SortStableFunc(list, func(a, b manuals.Question) int { return cmp.Compare(order(d, &a), order(d, &b)) })
	count := map[manuals.Kind]int{}
	var kept []manuals.Question
	for _, q := range list {
		if count[q.Kind]++; count[q.Kind] > perKind[q.Kind] || len(kept) == perDocument {
			continue
		}
		q.ID = fmt.Sprintf("%s-%s-%s-%02d", d.Set, strings.ReplaceAll(d.Name, ".", "-"), q.Kind, count[q.Kind])
		q.Filename, q.Answerable, q.Generated = d.Name, q.Kind != manuals.Near, true
		kept = append(kept, q)
	}
	return kept
}

func order(d *Document, q *manuals.Question) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, seed, d.Set, d.Name, q.Question)
	return h.Sum64()
}

// pick returns one of the wordings, depending on what is asked for.
func pick(about string, wordings ...string) string {
	h := fnv.New32a()
	fmt.Fprint(h, seed, about)
	return wordings[h.Sum32()%uint32(len(wordings))]
}

// isSound reports whether the quote is in the document, holds the facts, and is not too long.
func isSound(d *Document, q *manuals.Question) bool {
	if len(q.Quote) > 700 || len(q.Question) > 160 || len(q.Facts) == 0 || !strings.Contains(source.Normal(d.Text), source.Normal(q.Quote)) {
		return false
	}
	for _, f := range q.Facts {
		if slices.ContainsFunc(f, func(wording string) bool { return manuals.Holds(q.Question, wording) }) {
			return false // a reply that repeats the question would be right
		}
		if !slices.ContainsFunc(f, func(wording string) bool { return manuals.Holds(q.Quote, wording) }) {
			return false
		}
		q.Others = slices.DeleteFunc(q.Others, func(o string) bool {
			return slices.ContainsFunc(f, func(wording string) bool { return manuals.Holds(wording, o) || manuals.Holds(o, wording) })
		})
	}
	return true
}

func (m *maker) onEntries(d *Document) []manuals.Question {
	rare := rareWords(d)
	defaults := make([]string, len(d.entries))
	for i := range d.entries {
		defaults[i], _ = defaultOf(&d.entries[i])
	}
	var list []manuals.Question
	for i := range d.entries {
		e := &d.entries[i]
		if m.names[m.key(d, e.name)] > 1 {
			continue
		}
		if q, ok := askDefault(d, e, defaults); ok {
			list = append(list, q)
		}
		if q, ok := m.askMeaning(d, i, rare); ok {
			list = append(list, q)
		}
		if q, ok := askVersion(d, e); ok {
			list = append(list, q)
		}
		list = append(list, askParameters(e)...)
		if q, ok := askCommand(d, e); ok {
			list = append(list, q)
		}
	}
	return list
}

// label is how a question names an entry.
func label(d *Document, e *entry) string {
	switch {
	case d.Name == "using-cmdline.html" && strings.HasPrefix(e.name, "-"):
		return "python " + e.name
	case d.Set == "python" && strings.HasPrefix(e.name, "-"):
		return strings.TrimSuffix(d.Name, ".html") + " " + e.name
	case d.Set == "zsh" && d.Name == "options.html":
		return "the zsh option " + e.name
	case len(e.name) <= minName:
		return d.Subject + " " + e.name
	case d.isManPage() && strings.HasPrefix(e.name, "-"):
		return d.Subject + " " + e.name
	case d.isManPage():
		return e.name + " in " + d.Subject
	default:
		return e.name
	}
}

// value is the form of a default: quoted, or one word or number, which may have a unit.
const value = `("[^"]{1,40}"|'[^']{1,40}'|-?[\w./,:@%+*=-]*[\w/%*]` +
	`(?: (?:seconds|minutes|milliseconds|bytes|lines|days|hours|characters|times|pages|rounds|bits))?)`

var (
	defaultForm = regexp.MustCompile(`^\(default:? ` + value + `\)|[\w)] \(default:? ` + value + `\)` +
		`|(?:^|[.;:] |\band )(?:The|the) default(?: value| setting)?(?: of this limit| for this)? is ` + value + `(?:[.;,]? |[.;,)]?$| \()` +
		`|(?:^|[.;:)] )(?:Default(?: value)?(?: is|:)|Defaults to|It defaults to|The option defaults to) ` + value + `(?:[.;,]? |[.;,)]?$)`)
	noValue = regexp.MustCompile(`^(?i:not|to|the|a|an|that|for|when|if|as|set|used|always|based|determined|system|in|with|whatever|same|what|` +
		`taken|usually|described|often|of|this|it|between|only|no\s.*)$`)
)

// defaultOf returns the default that an entry states and the sentence that states it, "" if there is none or more than one.
func defaultOf(e *entry) (stated, sentence string) {
	for _, s := range sentences(e.body) {
		for _, found := range defaultForm.FindAllStringSubmatch(s, -1) {
			v := strings.Trim(strings.TrimRight(strings.Join(found[1:], ""), ".,:;"), `"'`)
			if v == "" || noValue.MatchString(v) {
				continue
			}
			if stated != "" && v != stated {
				return "", ""
			}
			stated, sentence = v, s
		}
	}
	if stated == "" || strings.Count(strings.ToLower(e.body), "default is")+strings.Count(strings.ToLower(e.body), "defaults to") > 1 {
		return "", ""
	}
	return stated, sentence
}

func askDefault(d *Document, e *entry, defaults []string) (manuals.Question, bool) {
	value, sentence := defaultOf(e)
	if value == "" || len(e.call) > 0 {
		return manuals.Question{}, false
	}
	l := label(d, e)
	var others []string
	for _, o := range defaults {
		if o != "" && o != value && len(others) < 8 && !slices.Contains(others, o) {
			others = append(others, o)
		}
	}
	return manuals.Question{
		Kind: manuals.Default, Quote: quoteOf(d, e, sentence), Facts: []manuals.Fact{wordings(value)}, Others: others,
		Question: pick(l, "What is the default of "+l+"?", "default of "+l, l+" default value", "What does "+l+" default to?"),
	}, true
}

// wordings returns a value and, of a number with its unit, the number alone.
func wordings(value string) manuals.Fact {
	number, unit, found := strings.Cut(value, " ")
	if found && unit != "" && strings.Trim(number, "0123456789") == "" {
		return manuals.Fact{value, number}
	}
	return manuals.Fact{value}
}

// maxLead is how far behind its term a sentence may be for the quote to begin with the term.
const maxLead = 300

// quoteOf returns the sentence with the term and what is between them, or alone if the term is far
// and the sentence stands only there.
func quoteOf(d *Document, e *entry, sentence string) string {
	at := strings.Index(e.body, sentence)
	if at > maxLead && strings.Count(d.Text, sentence) == 1 {
		return sentence
	}
	return e.term + " " + e.body[:at] + sentence
}

// rareWords returns for each entry the words of its first sentence that no other entry has.
func rareWords(d *Document) [][]string {
	bodies := make([]string, len(d.entries))
	for i := range d.entries {
		bodies[i] = d.entries[i].body
	}
	return own(bodies, words(d.Text))
}

// maxWordings is how many words may stand for an answer.
const maxWordings = 3

// own returns for each text the rarest words of its first sentence that no other text has. all are the words of the document.
func own(texts, all []string) [][]string {
	times, in := map[string]int{}, map[string]int{}
	for _, w := range all {
		times[w]++
	}
	for _, t := range texts {
		list := content(t)
		slices.Sort(list)
		for _, w := range slices.Compact(list) {
			in[w]++
		}
	}
	lists := make([][]string, len(texts))
	for i, t := range texts {
		for _, w := range content(firstSentence(t)) {
			if in[w] == 1 && !slices.Contains(lists[i], w) {
				lists[i] = append(lists[i], w)
			}
		}
		slices.SortStableFunc(lists[i], func(a, b string) int { return cmp.Compare(times[a], times[b]) })
		lists[i] = lists[i][:min(maxWordings, len(lists[i]))]
	}
	return lists
}

func firstSentence(text string) string {
	if list := sentences(text); len(list) > 0 {
		return list[0]
	}
	return ""
}

const (
	minName  = 5 // a shorter name says too little without the subject
	minWords = 4
	maxWords = 45
)

func isGoodSentence(s string) bool {
	n := len(strings.Fields(s))
	first, _, _ := strings.Cut(s, " ")
	switch strings.ToLower(strings.Trim(first, ",")) {
	case "this", "these", "it", "same", "like", "as", "see", "and", "but", "deprecated", "synonym", "equivalent", "alias", "identical",
		"similar", "ditto", "here", "there", "note", "however", "changed", "new":
		return false
	}
	if strings.Contains(s, "constructor accepts") || strings.Contains(s, "normally") || strings.HasPrefix(s, "By default") || strings.HasSuffix(s, ";") || strings.HasSuffix(s, ",") {
		return false
	}
	return n >= minWords && n <= maxWords && (strings.HasSuffix(s, ".") || n <= 25) && !strings.HasSuffix(s, ":") &&
		!strings.HasPrefix(s, "(") && !strings.Contains(s, ">>>")
}

// askMeaning asks what an entry does. The answer holds one of the words that only its first sentence has.
func (m *maker) askMeaning(d *Document, i int, rare [][]string) (manuals.Question, bool) {
	e := &d.entries[i]
	first := firstSentence(e.body)
	term := words(e.term)
	rare[i] = slices.DeleteFunc(rare[i], func(w string) bool { return slices.Contains(term, w) })
	if len(rare[i]) == 0 || !isGoodSentence(first) || len(e.name) < 2 || !isTerm(d, e) {
		return manuals.Question{}, false
	}
	if m.fullStops[d] && !strings.HasSuffix(first, ".") {
		return manuals.Question{}, false // something else in the form of an option
	}
	l := label(d, e)
	q := manuals.Question{Quote: e.term + " " + first, Facts: []manuals.Fact{rare[i]}, Others: neighbours(d.entries, i)}
	isOption := strings.HasPrefix(e.name, "-") || strings.HasSuffix(e.name, "=") || d.Name == "options.html"
	switch {
	case isOption:
		q.Kind = manuals.Option
		q.Question = pick(l, "What does "+l+" do?", l, "meaning of "+l, "What is "+l+" for?")
	case strings.HasPrefix(e.name, "PRAGMA "):
		q.Kind = manuals.Option
		q.Question = pick(l, "What does "+l+" do?", l, "What is "+l+" for?")
	case strings.Contains(e.term, "(") && !strings.HasPrefix(e.term, "class ") && !strings.HasPrefix(e.term, "exception "):
		q.Kind = manuals.Definition
		q.Question = pick(l, "What does "+l+"() do?", l+" function", "What is "+l+"() for?")
	default:
		q.Kind = manuals.Definition
		q.Question = pick(l, "What is "+l+"?", "meaning of "+l, l+" in "+d.Subject, "What does "+l+" mean?")
		if d.isManPage() || strings.Contains(l, " ") {
			q.Question = pick(l, "What is "+l+"?", "meaning of "+l)
		}
	}
	return q, true
}

// isTerm reports whether an entry can be asked for by its name alone. A letter with a dash is an option of the shell or of a command of it,
// and a plain word may be explained elsewhere, too.
func isTerm(d *Document, e *entry) bool {
	switch {
	case d.Set == "bash" || d.Set == "zsh":
		return !strings.HasPrefix(e.name, "-") || len(e.name) > minName
	case isNamed(e) && e.name != strings.ToUpper(e.name), strings.Contains(e.name, "."):
		return true
	case d.Set == "perl" || d.Set == "sqlite":
		return strings.ContainsAny(e.name, "-_")
	default:
		return len(e.name) > minName || strings.HasPrefix(e.name, "-") || e.name == strings.ToUpper(e.name)
	}
}

// neighbours returns the beginnings of what the entries before and behind say.
func neighbours(entries []entry, i int) []string {
	var list []string
	own := strings.ToLower(entries[i].body)
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(entries) {
			continue
		}
		fields := strings.Fields(firstSentence(entries[j].body))
		if len(fields) < minWords {
			continue
		}
		begin := strings.Join(fields[:min(5, len(fields))], " ")
		if !strings.Contains(own, strings.ToLower(begin)) {
			list = append(list, begin)
		}
	}
	return list
}

var newIn = regexp.MustCompile(`New in version (\d+(?:\.\d+)+)\.(?: |$)|Added in (\d+(?:\.\d+)+)\.(?: |$)`)

// askVersion asks since when there is an entry, if it says so once and at its end or in a sentence of its own.
func askVersion(d *Document, e *entry) (manuals.Question, bool) {
	found := newIn.FindAllStringSubmatch(e.body, -1)
	if len(found) != 1 || len(e.body) > 1500 || strings.Contains(e.body, "Changed in version") {
		return manuals.Question{}, false
	}
	version := found[0][1] + found[0][2]
	name := e.name
	if strings.HasPrefix(name, "-") {
		name = "the option " + name
	}
	product := "Python"
	if found[0][2] != "" {
		product = "curl"
	}
	return manuals.Question{
		Kind: manuals.Version, Facts: []manuals.Fact{{version}}, Quote: quoteOf(d, e, strings.TrimSpace(found[0][0])),
		Question: pick(name, "In which version of "+product+" was "+name+" added?", "Since which "+product+" version is there "+name+"?"),
	}, true
}

// askParameters asks for the defaults of the parameters of a function.
func askParameters(e *entry) []manuals.Question {
	var list []manuals.Question
	for _, p := range e.call {
		if p.name == "" || p.value == "" || p.value == "None" || strings.Contains(p.value, "<") || strings.HasPrefix(p.name, "_") {
			continue
		}
		var others []string
		for _, o := range e.call {
			if o.value != "" && o.value != p.value && !slices.Contains(others, o.value) {
				others = append(others, o.value)
			}
		}
		value := strings.Trim(p.value, `'"`)
		if !strings.ContainsFunc(value, unicode.IsLetter) && !strings.ContainsFunc(value, unicode.IsDigit) {
			continue
		}
		list = append(list, manuals.Question{
			Kind: manuals.Default, Facts: []manuals.Fact{{p.name + "=" + p.value, value}}, Others: others, Quote: e.term,
			Question: pick(e.name+p.name, "What is the default of the parameter "+p.name+" of "+e.name+"()?", e.name+" "+p.name+" default",
				"Which value does "+p.name+" have in "+e.name+"() if it is not given?"),
		})
	}
	return list
}

var exampleLine = regexp.MustCompile(`(?:^| )Examples?: (curl .+?)(?: See also|$)`)

// askCommand asks for the example of an option.
func askCommand(d *Document, e *entry) (manuals.Question, bool) {
	m := exampleLine.FindStringSubmatch(e.body)
	if m == nil || strings.Count(m[1], "curl ") != 1 || len(m[1]) > 120 {
		return manuals.Question{}, false
	}
	l := label(d, e)
	return manuals.Question{
		Kind: manuals.Command, Quote: "Example: " + m[1], Facts: []manuals.Fact{{m[1]}},
		Question: pick(l, "Give an example of "+l, "Which command shows the use of "+l+"?"),
	}, true
}
