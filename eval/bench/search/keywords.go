package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/report"
	"docqa/eval/instance"
)

// The targets of P6.
const (
	maxTrips1K, maxTrips10K = 12., 60. // round trips that a search over 1,000 and 10,000 chunks takes at most
	maxKeywordGrowth        = 10.      // times, from 10,000 to 100,000 chunks
)

// Keywords is P6: BM25 over the chunks of one project, compared with Lucene and bleve in processes of their own over the same chunks.
// Paragraphs with known questions are hidden among others that are made of the same words.
func Keywords(ctx context.Context, h *harness.Harness) (rows []report.Row, err error) {
	known, err := loadLabelled(h.Data)
	if err != nil {
		return nil, err
	}
	s, err := h.Open(ctx, "bm25", instance.Vectors("")...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close(ctx, "bm25")) }()
	l, err := newLoader(ctx, s, false)
	if err != nil {
		return nil, err
	}
	before := 0.
	for _, size := range []int{1000, 10_000, 100_000} {
		if size > h.Chunks {
			rows = append(rows, report.Missing("P6", fmt.Sprintf("BM25 over %d chunks", size), "", "more than --chunks"))
			continue
		}
		k := &keywordSearch{h: h, known: known, size: size}
		more, err := k.measure(ctx, l)
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
		p50 := report.Quantile(k.took["service"], .5)
		if size == 100_000 {
			rows = append(rows, report.Figure("P6", "BM25, from 10,000 to 100,000 chunks", "times", p50/before).AtMost(maxKeywordGrowth))
		}
		before = p50
	}
	return rows, nil
}

// keywordSearch is the measurement on one size of project.
type keywordSearch struct {
	h     *harness.Harness
	known labelled
	size  int

	first  int64 // id of the first known paragraph
	peers  []*peer
	absent []string // products that are not installed
	took   map[string][]float64
	gains  map[string][]float64 // nDCG@10 by who searched
}

func (k *keywordSearch) measure(ctx context.Context, l *loader) ([]report.Row, error) {
	k.h.Progress("storing a project of %d chunks", k.size)
	folder, err := os.MkdirTemp("", "docqa-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	var project string
	if project, k.first, err = k.known.load(ctx, l, k.size, folder); err != nil {
		return nil, err
	}
	err = k.startPeers(ctx, folder)
	defer func() { stopAll(k.peers) }()
	if err != nil {
		return nil, err
	}
	k.gains = map[string][]float64{}
	if k.took, err = k.h.InTurns(ctx, k.h.Rounds, k.steps(l.server, project)); err != nil {
		return nil, err
	}
	return k.rows(), nil
}

// question returns the number of the question that is asked in a round.
func (k *keywordSearch) question(round int) int { return round * 7 % len(k.known.questions) }

func (k *keywordSearch) steps(s *harness.Server, project string) []harness.Step {
	find := newSearcher(s, project, "")
	find.first = k.first
	steps := []harness.Step{
		harness.SelectOne(s),
		{Name: "service", Do: func(ctx context.Context, i int) (time.Duration, error) {
			began := k.h.Clock.Now()
			ids, _, err := find.ids(ctx, k.known.questions[k.question(i)])
			took := k.h.Clock.Now().Sub(began)
			k.note("service", i, ids)
			return took, err
		}},
	}
	for _, p := range k.peers {
		steps = append(steps, harness.Step{Name: p.name, Do: func(_ context.Context, i int) (time.Duration, error) {
			a, err := p.ask(strconv.Itoa(k.question(i)))
			k.note(p.name, i, a.IDs)
			return a.took(), err
		}})
	}
	return steps
}

// note stores how good the results of a round were.
func (k *keywordSearch) note(who string, round int, ids []string) {
	if round >= harness.WarmUp {
		wanted := strconv.FormatInt(k.first+int64(k.known.gold[k.question(round)]), 10)
		k.gains[who] = append(k.gains[who], gain(ids, wanted))
	}
}

// gain is nDCG if one result is wanted.
func gain(ids []string, wanted string) float64 {
	at := slices.Index(ids, wanted)
	if at < 0 {
		return 0
	}
	return 1 / math.Log2(float64(at)+2)
}

// rows compare the time, counted in round trips to the database, and the order of the results.
func (k *keywordSearch) rows() []report.Row {
	name := fmt.Sprintf("BM25 over %d chunks", k.size)
	trip := report.Quantile(k.took["SELECT 1"], .5)
	trips := report.Figure("P6", name+", the whole search over HTTP", "round trips", report.Quantile(k.took["service"], .5)/trip)
	list := []report.Row{trips}
	if limit, ok := map[int]float64{1000: maxTrips1K, 10_000: maxTrips10K}[k.size]; ok {
		list[0] = trips.AtMost(limit)
	}
	order := report.Figure("P6", name+", nDCG@10", "", mean(k.gains["service"]))
	for _, p := range k.peers {
		list = append(list, trips.ComparedWith(p.name+", in its process", report.Quantile(k.took[p.name], .5)/trip),
			order.ComparedWith(p.name, mean(k.gains[p.name])).NotBelow())
	}
	for _, p := range k.absent {
		list = append(list, report.Missing("P6", name, p, harness.ErrNotInstalled.Error()))
	}
	return list
}

// startPeers starts the search engines that are installed.
func (k *keywordSearch) startPeers(ctx context.Context, folder string) error {
	classes, noLucene := k.h.Installed("lucene", "target", "classes")
	jars := filepath.Join(filepath.Dir(classes), "dependency", "*")
	bleve, noBleve := k.h.Installed("bleve", "bleve")
	for _, e := range []struct {
		command peerCommand
		missing error
	}{
		{peerCommand{name: "Lucene", program: "java", args: []string{"-Xmx1g", "-cp", classes + string(os.PathListSeparator) + jars, "Peer", folder}}, noLucene},
		{peerCommand{name: "bleve", program: bleve, args: []string{folder}}, noBleve},
	} {
		if e.missing != nil {
			k.absent = append(k.absent, e.command.name)
			continue
		}
		p, err := startPeer(ctx, k.h, e.command)
		if err != nil {
			return err
		}
		k.peers = append(k.peers, p)
	}
	return nil
}
