package search

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"

	"docqa/eval/bench/harness"
	"docqa/eval/dataset"
)

// labelledSet is the set of the evaluation data whose paragraphs and questions are used.
const labelledSet = "squad2"

// labelled are paragraphs, and questions whose answer is known to stand in one of them.
type labelled struct {
	paragraphs []string
	questions  []string
	gold       []int // by question: the index of its paragraph
}

// loadLabelled reads paragraphs and questions from the folder data. Without a folder it makes some up: the question is words of the
// paragraph.
func loadLabelled(data string) (labelled, error) {
	if data == "" {
		return madeUpLabelled(), nil
	}
	var l labelled
	sets, err := dataset.Load(data, labelledSet)
	if err != nil {
		return l, err
	}
	places := map[string]int{}
	for i, p := range sets[0].Passages {
		places[p.File+"\n"+p.Text] = i
		l.paragraphs = append(l.paragraphs, oneLine(p.Text))
	}
	for i := range sets[0].Questions {
		q := &sets[0].Questions[i]
		if len(q.Gold) == 0 {
			continue
		}
		if at, ok := places[q.Gold[0].File+"\n"+q.Gold[0].Text]; ok {
			l.questions, l.gold = append(l.questions, oneLine(q.Text)), append(l.gold, at)
		}
	}
	if len(l.questions) == 0 {
		return l, errors.New("no question of the data names a paragraph")
	}
	return l, nil
}

func madeUpLabelled() (l labelled) {
	random := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // must be repeatable
	for i := range 700 {
		l.paragraphs = append(l.paragraphs, harness.Paragraph(uint64(i)))
		words := strings.Fields(strings.ReplaceAll(l.paragraphs[i], ".", ""))
		random.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		l.questions, l.gold = append(l.questions, strings.Join(words[:7], " ")), append(l.gold, i)
	}
	return l
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// padding returns a function that makes more paragraphs, in which words follow each other as they do in the known ones.
func (l *labelled) padding() func() string {
	followers := map[string][]string{}
	for _, p := range l.paragraphs {
		words := strings.Fields(p)
		for i := range len(words) - 1 {
			followers[words[i]] = append(followers[words[i]], words[i+1])
		}
	}
	random := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // must be repeatable
	return func() string {
		first := strings.Fields(l.paragraphs[random.IntN(len(l.paragraphs))])
		words := []string{first[random.IntN(len(first))]}
		for len(words) < harness.ParagraphWords {
			next := followers[words[len(words)-1]]
			if len(next) == 0 {
				next = first
			}
			words = append(words, next[random.IntN(len(next))])
		}
		return strings.Join(words, " ")
	}
}

// load writes the paragraphs, padded to size chunks, into a new project, and into folder for the other products. It returns the id
// of the first chunk, which is the first paragraph.
func (l *labelled) load(ctx context.Context, into *loader, size int, folder string) (project string, first int64, err error) {
	c, err := into.newCollection(ctx)
	if err != nil {
		return "", 0, err
	}
	chunks, err := newTable(folder, "chunks")
	if err != nil {
		return "", 0, err
	}
	first = into.nextID
	padding := l.padding()
	err = c.add(ctx, size, func(i int) string {
		var text string
		if i < len(l.paragraphs) {
			text = l.paragraphs[i]
		} else {
			text = padding()
		}
		chunks.add(nil, strconv.FormatInt(first+int64(i), 10), "", text)
		return text
	})
	if err != nil {
		return "", 0, err
	}
	queries, err := newTable(folder, "queries")
	if err != nil {
		return "", 0, err
	}
	for _, q := range l.questions {
		queries.add(nil, "", q)
	}
	return c.project, first, errors.Join(chunks.close(), queries.close(), into.finish(ctx))
}
