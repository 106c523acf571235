package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An entry is a term with its definitions: an option, a function, a setting. A question names
// an entry exactly, as in "What does --all do?", or by plain words.

// exactNames returns the words of a question that are names by their form: options, paths,
// identifiers, words in capitals, and what stands between backticks or quotation marks.
func exactNames(question string) []string {
	var out []string
	for w := range strings.FieldsSeq(question) {
		quoted := strings.ContainsAny(w[:1], "`'\"‘“") && utf8.RuneCountInString(w) > 2 || strings.Contains(w, "()")
		w = strings.Trim(w, "`'\"‘’“”?!,;:")
		w = strings.TrimRight(strings.TrimPrefix(w, "("), "().")
		if cut := strings.IndexByte(w, '='); cut > 0 {
			w = w[:cut]
		}
		if w != "" && (quoted || exactForm(w)) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// exactForm reports whether a word has the form of a name in code.
func exactForm(w string) bool {
	if strings.HasPrefix(w, "-") && len(w) > 1 {
		return true
	}
	letters, upper, inside, camel := 0, 0, false, false
	before := rune(0)
	for i, r := range w {
		switch {
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
				camel = camel || unicode.IsLower(before)
			}
		case strings.ContainsRune("_./:=@$\\", r) && i > 0 && i < len(w)-1, r == '_', r == '$':
			inside = true
		}
		before = r
	}
	return letters > 0 && (inside || camel || upper >= 2 && upper == letters)
}

// namesOfTerm returns the names that a term has: "-q, --quiet=WHEN" is -q and --quiet, and
// "module.call(x, y=1)" is module.call.
func namesOfTerm(term string) []string {
	var out []string
	for part := range termParts(term) {
		words := strings.Fields(part)
		for len(words) > 1 && declares(words[0]) {
			words = words[1:]
		}
		for i, name := range words {
			if i > 0 && !strings.HasPrefix(name, "-") {
				continue // its argument
			}
			if cut := strings.IndexAny(name, "=[({<"); cut > 0 {
				name = name[:cut]
			}
			if name = strings.Trim(name, "`'\"‘’“”:."); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}

// declares reports whether a word only says what kind of thing the next one names.
func declares(word string) bool {
	switch word {
	case "class", "def", "function", "exception", "async", "classmethod", "staticmethod", "method", "func", "type", "const", "var", "static":
		return true
	}
	return false
}

// termParts yields the alternatives of a term, which stand between commas or bars outside of brackets.
func termParts(term string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		depth, start := 0, 0
		for i, r := range term {
			switch {
			case strings.ContainsRune("([{", r):
				depth++
			case strings.ContainsRune(")]}", r):
				depth = max(0, depth-1)
			case r == '\n' || depth == 0 && strings.ContainsRune(",|;", r):
				if !yield(term[start:i]) {
					return
				}
				start, depth = i+1, 0
			}
		}
		yield(term[start:])
	}
}

// lastPart returns a name without what it belongs to: "call" of "module.call".
func lastPart(name string) string {
	if dot := strings.LastIndexAny(name, ".:"); dot > 0 && dot < len(name)-1 {
		return name[dot+1:]
	}
	return name
}

// sameName compares names. Case counts in options and short names, where it makes another name.
func sameName(a, b string) bool {
	if len(a) <= 3 || strings.HasPrefix(a, "-") {
		return a == b
	}
	return strings.EqualFold(a, b)
}

// entryMatch says how a question names an entry.
type entryMatch uint8

const (
	notNamed   entryMatch = iota
	plainNamed            // a name of the entry is a plain word of the question
	partNamed             // its last part is one of the question's exact names, or the last part of one
	exactNamed            // it is one of the question's exact names
)

// matchEntry compares a term with the question.
func (x *question) matchEntry(term string) entryMatch {
	if term == "" {
		return notNamed
	}
	match, known := x.entries[term]
	if known {
		return match
	}
	for _, name := range namesOfTerm(term) {
		match = max(match, x.matchName(name))
	}
	if match == notNamed && x.sharesTerm(term) {
		match = plainNamed
	}
	x.entries[term] = match
	return match
}

func (x *question) matchName(name string) entryMatch {
	match := notNamed
	for _, asked := range x.exact {
		switch {
		case sameName(asked, name):
			return exactNamed
		case sameName(asked, lastPart(name)) || sameName(lastPart(asked), name):
			match = partNamed
		}
	}
	if match == notNamed && utf8.RuneCountInString(name) > 2 && (slices.Contains(x.plain, strings.ToLower(name)) || slices.Contains(x.plain, strings.ToLower(lastPart(name)))) {
		return plainNamed
	}
	return match
}

// setsValue reports whether a signature gives a value to a name of the question, such as "open(file, mode='r')" to mode. The argument
// of an option, as in "--mode=WORD", is no value.
func (x *question) setsValue(term string) bool {
	_, list, _ := strings.Cut(term, "(")
	for {
		before, rest, found := strings.Cut(list, "=")
		if !found {
			return false
		}
		before = strings.TrimRight(before, " ")
		start := strings.LastIndexFunc(before, func(r rune) bool { return !partOfName(r) }) + 1
		if name := strings.ToLower(before[start:]); name != "" && slices.Contains(x.plain, name) {
			return true
		}
		list = rest
	}
}

// sharesTerm reports whether the question has all words of a term of two words or more.
func (x *question) sharesTerm(term string) bool {
	fields := strings.Fields(strings.ToLower(term))
	if len(fields) < 2 || len(fields) > 6 {
		return false
	}
	for _, w := range fields {
		if !slices.Contains(x.plain, strings.Trim(w, "`'\"‘’“”:.,()")) {
			return false
		}
	}
	return true
}

// lacksNames returns the share of the question's exact names that a text does not hold.
func (x *question) lacksNames(text string) float64 {
	lacking := 0
	for _, name := range x.exact {
		if !holdsName(text, name) {
			lacking++
		}
	}
	return ratio(float64(lacking), float64(len(x.exact)))
}

// lacksInAll returns the share of the question's exact names that no passage holds.
func (x *question) lacksInAll(passages []Passage) float64 {
	lacking := 0
	for _, name := range x.exact {
		if !slices.ContainsFunc(passages, func(p Passage) bool {
			return holdsName(p.Text, name) || holdsName(p.Title, name) || holdsName(strings.Join(p.HeadingPath, " "), name)
		}) {
			lacking++
		}
	}
	return ratio(float64(lacking), float64(len(x.exact)))
}

// holdsName reports whether text holds a name that is not a part of a longer one.
func holdsName(text, name string) bool {
	if len(name) > 3 && !strings.HasPrefix(name, "-") {
		text, name = strings.ToLower(text), strings.ToLower(name)
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if (start == 0 || !partOfName(before)) && (end == len(text) || !partOfName(after)) {
			return true
		}
		from = end
	}
}

func partOfName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-'
}
