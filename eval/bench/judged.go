package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"

	"docqa/eval/dataset"
)

// judgedSet is the set whose paragraphs are looked for by its questions.
const judgedSet = "squad2"

// judged are paragraphs, and questions with the number of the paragraph that answers each.
type judged struct {
	paragraphs []string
	questions  []string
	gold       []int
}

// judged reads the questions, or makes some where no data was given: words of a paragraph that must find it.
func (b *bench) judged() (judged, error) {
	var j judged
	random := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // wants repeatability
	if b.opts.Data == "" {
		for i := range 700 {
			j.paragraphs = append(j.paragraphs, paragraph(uint64(i)))
			list := strings.Fields(strings.ReplaceAll(j.paragraphs[i], ".", ""))
			random.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
			j.questions, j.gold = append(j.questions, strings.Join(list[:7], " ")), append(j.gold, i)
		}
		return j, nil
	}
	sets, err := dataset.Load(b.opts.Data, judgedSet)
	if err != nil {
		return j, err
	}
	places := map[string]int{}
	for i, p := range sets[0].Passages {
		places[p.File+"\n"+p.Text] = i
		j.paragraphs = append(j.paragraphs, oneLine(p.Text))
	}
	for i := range sets[0].Questions {
		q := &sets[0].Questions[i]
		if len(q.Gold) == 0 {
			continue
		}
		if at, ok := places[q.Gold[0].File+"\n"+q.Gold[0].Text]; ok {
			j.questions, j.gold = append(j.questions, oneLine(q.Text)), append(j.gold, at)
		}
	}
	if len(j.questions) == 0 {
		return j, errors.New("the data has no paragraph that a question names")
	}
	return j, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// padding makes paragraphs of words that follow each other in the known ones.
func (j *judged) padding() func() string {
	follow := map[string][]string{}
	for _, p := range j.paragraphs {
		list := strings.Fields(p)
		for i := range len(list) - 1 {
			follow[list[i]] = append(follow[list[i]], list[i+1])
		}
	}
	random := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // wants repeatability
	return func() string {
		first := strings.Fields(j.paragraphs[random.IntN(len(j.paragraphs))])
		list := []string{first[random.IntN(len(first))]}
		for len(list) < paragraphWords {
			next := follow[list[len(list)-1]]
			if len(next) == 0 {
				next = first
			}
			list = append(list, next[random.IntN(len(next))])
		}
		return strings.Join(list, " ")
	}
}

// among hides the known paragraphs in a new project of size chunks, and writes the same for the peers. It
// returns the chunk id of the first known one.
func (s *stock) among(ctx context.Context, known judged, size int, folder string) (project string, first int64, err error) {
	if project, err = s.project(ctx); err != nil {
		return "", 0, err
	}
	chunks, err := newTable(folder, "chunks")
	if err != nil {
		return "", 0, err
	}
	first = s.next
	padding := known.padding()
	err = s.add(ctx, s.begin(project), size, func(i int) string {
		var text string
		if i < len(known.paragraphs) {
			text = known.paragraphs[i]
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
	for _, q := range known.questions {
		queries.add(nil, "", q)
	}
	return project, first, errors.Join(chunks.close(), queries.close(), s.settle(ctx))
}
