package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"docqa/eval/instance"
)

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
	defer func() { _ = b.close(ctx, "bm25") }()
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
	find.first = first
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

// engines starts the peers that are installed.
func (b *bench) engines(ctx context.Context, folder string) (peers []*peer, absent []string, err error) {
	start := func(name string, ready error, program string, args ...string) {
		switch {
		case err != nil:
		case ready != nil:
			absent = append(absent, name)
		default:
			var p *peer
			if p, err = b.peer(ctx, name, nil, program, args...); err == nil {
				peers = append(peers, p)
			}
		}
	}
	classes, ready := b.installed("lucene", "target", "classes")
	jars := filepath.Join(filepath.Dir(classes), "dependency", "*")
	start("Lucene", ready, "java", "-Xmx1g", "-cp", classes+string(os.PathListSeparator)+jars, "Peer", folder)
	program, ready := b.installed("bleve", "bleve")
	start("bleve", ready, program, folder)
	return peers, absent, err
}
