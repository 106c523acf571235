package benchmark

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/instance"
)

// judgedSet is the set whose paragraphs are looked for by its questions.
const judgedSet = "squad2"

// judged are paragraphs, and questions with the number of the paragraph that answers each.
type judged struct {
	paragraphs []string
	questions  []string
	gold       []int
}

// words is P6: BM25 over the chunks of one project, beside Lucene and bleve in their own processes over the
// same chunks. Paragraphs with known questions are hidden among others made of the same words.
func (b *bench) words(ctx context.Context) (rows []Row, err error) {
	known, err := b.judged()
	if err != nil {
		return nil, err
	}
	h, err := b.open(ctx, "bm25", instance.Vectors("")...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = b.close("bm25") }()
	s, err := b.stocked(ctx, h, false)
	if err != nil {
		return nil, err
	}
	before := 0.
	for _, size := range []int{1000, 10_000, 100_000} {
		if size > b.opts.Chunks {
			rows = append(rows, missing("P6", fmt.Sprintf("BM25 over %d chunks", size), "", "more than --chunks"))
			continue
		}
		more, p50, err := b.wordsOf(ctx, h, s, known, size)
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
		if size == 100_000 {
			rows = append(rows, figure("P6", "BM25, from 10,000 to 100,000 chunks", "times", p50/before).atMost(10))
		}
		before = p50
	}
	return rows, nil
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

func (b *bench) wordsOf(ctx context.Context, h *house, s *stock, known judged, size int) (rows []Row, p50 float64, err error) {
	b.say("storing one project of %d passages", size)
	folder, err := os.MkdirTemp("", "docqa-bench-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(folder)
	project, first, err := s.among(ctx, known, size, folder)
	if err != nil {
		return nil, 0, err
	}
	peers, absent, err := b.engines(ctx, folder)
	defer func() {
		for _, p := range peers {
			p.stop()
		}
	}()
	if err != nil {
		return nil, 0, err
	}
	gains := map[string][]float64{}
	pick := func(i int) int { return i * 7 % len(known.questions) }
	note := func(who string, i int, ids []string) {
		if i >= warmUp {
			gains[who] = append(gains[who], gain(ids, strconv.FormatInt(first+int64(known.gold[pick(i)]), 10)))
		}
	}
	find := h.searcher(project, "")
	steps := []step{
		{"SELECT 1", func(ctx context.Context, _ int) (time.Duration, error) {
			var one int
			return 0, h.conn.QueryRow(ctx, "select 1").Scan(&one)
		}},
		{"service", func(ctx context.Context, i int) (time.Duration, error) {
			began := b.opts.Clock.Now()
			ids, _, err := find.ids(ctx, known.questions[pick(i)])
			took := b.opts.Clock.Now().Sub(began)
			note("service", i, ids)
			return took, err
		}},
	}
	for _, p := range peers {
		steps = append(steps, step{p.name, func(_ context.Context, i int) (time.Duration, error) {
			a, err := p.ask(strconv.Itoa(pick(i)))
			note(p.name, i, a.IDs)
			return time.Duration(a.MS * float64(time.Millisecond)), err
		}})
	}
	took, err := b.rounds(ctx, b.opts.Rounds, steps)
	if err != nil {
		return nil, 0, err
	}
	return wordsRows(took, gains, peers, absent, size), quantile(took["service"], .5), nil
}

// wordsRows compare the time in round trips, and the order of the results.
func wordsRows(took, gains map[string][]float64, peers []*peer, absent []string, size int) []Row {
	name := fmt.Sprintf("BM25 over %d chunks", size)
	trip := quantile(took["SELECT 1"], .5)
	trips := figure("P6", name+", the whole search over HTTP", "round trips", quantile(took["service"], .5)/trip)
	if most, ok := map[int]float64{1000: 12, 10_000: 60}[size]; ok {
		trips = trips.atMost(most)
	}
	rows := []Row{trips}
	order := figure("P6", name+", nDCG@10", "", mean(gains["service"]))
	for _, p := range peers {
		trips.Target, trips.Met = "", nil
		beside := order.beside(p.name, mean(gains[p.name]))
		beside.Target, beside.Met = "not below", new(beside.Value >= *beside.Other)
		rows = append(rows, trips.beside(p.name+", in its process", quantile(took[p.name], .5)/trip), beside)
	}
	for _, p := range absent {
		rows = append(rows, missing("P6", name, p, errNotInstalled.Error()))
	}
	return rows
}

// gain is nDCG where one result is wanted.
func gain(ids []string, wanted string) float64 {
	at := slices.Index(ids, wanted)
	if at < 0 {
		return 0
	}
	return 1 / math.Log2(float64(at)+2)
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
		text := ""
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

// engines starts the peers that are installed.
func (b *bench) engines(ctx context.Context, folder string) (peers []*peer, absent []string, err error) {
	classes, err := b.installed("lucene", "target", "classes")
	if err != nil {
		absent = append(absent, "Lucene")
	} else {
		jars := filepath.Join(filepath.Dir(classes), "dependency", "*")
		p, err := b.peer(ctx, "Lucene", nil, "java", "-Xmx1g", "-cp", classes+string(os.PathListSeparator)+jars, "Peer", folder)
		if err != nil {
			return peers, absent, err
		}
		peers = append(peers, p)
	}
	program, err := b.installed("bleve", "bleve")
	if err != nil {
		return peers, append(absent, "bleve"), nil
	}
	p, err := b.peer(ctx, "bleve", nil, program, folder)
	if err != nil {
		return peers, absent, err
	}
	return append(peers, p), absent, nil
}
