package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/modelserver"
	"docqa/eval/bench/report"
	"docqa/internal/search"
	"docqa/internal/store"
)

// The targets of P4 and P5.
const (
	timesPython = 10.
	minRecall   = .99
)

// Tenants is P4 and P5: the ten nearest of one tenant's chunks, by vectors and hybrid, compared with libraries on the same Postgres.
func Tenants(ctx context.Context, h *harness.Harness) (rows []report.Row, err error) {
	in, err := install(ctx, h, "tenants")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.close(ctx)) }()
	data, err := in.storeTenants(ctx)
	if data != nil {
		defer os.RemoveAll(data.folder)
	}
	if err != nil {
		return nil, err
	}
	peers, absent, err := startLibraries(ctx, h, data.folder)
	defer func() { stopAll(peers) }()
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, in.DatabaseURL, store.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	service := search.New(search.Deps{Store: db, Clock: h.Clock, Vectors: madeUpVectors{}})
	for _, t := range []tenantSearch{
		{id: "P4", mode: "semantic", peerMode: "vector", name: "vector top-10 of a tenant"},
		{id: "P5", mode: "hybrid", peerMode: "hybrid", name: "hybrid top-10 of a tenant"},
	} {
		t.installation, t.data, t.peers, t.service, t.recall = in, data, peers, service, map[string][]float64{}
		more, err := t.measure(ctx)
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
		for _, name := range absent {
			rows = append(rows, report.Missing(t.id, t.name, name, harness.ErrNotInstalled.Error()))
		}
		rows = append(rows, report.Missing(t.id, t.name, "Weaviate", "no package of it can be installed"))
	}
	return rows, nil
}

// startLibraries starts the libraries that are installed, over a database of their own on the same server.
func startLibraries(ctx context.Context, h *harness.Harness, folder string) (peers []*peer, absent []string, err error) {
	db, err := h.CreateDatabase(ctx, "peers")
	if err != nil {
		return nil, nil, err
	}
	defer db.Conn.Close(ctx)
	if _, err := db.Conn.Exec(ctx, "create extension if not exists vector"); err != nil {
		return nil, nil, err
	}
	for _, l := range []struct {
		name, folder, script string
		args                 []string
	}{
		{"Haystack", "haystack", "haystack_peer.py", nil},
		{"Haystack with an index by hand", "haystack", "haystack_peer.py", []string{"indexed"}},
		{"LlamaIndex", "llamaindex", "llamaindex_peer.py", nil},
	} {
		python, err := h.Installed(l.folder, "bin", "python")
		if err != nil {
			absent = append(absent, l.name)
			continue
		}
		script := filepath.Join("eval", "peers", "rag", l.script)
		p, err := startPeer(ctx, h, peerCommand{
			name: l.name, program: python, args: append([]string{script, folder}, l.args...), env: []string{"PG_CONN_STR=" + db.DatabaseURL},
		})
		if err != nil {
			return peers, absent, err
		}
		peers = append(peers, p)
	}
	return peers, absent, nil
}

// tenantSearch is the measurement of one mode of search.
type tenantSearch struct {
	*installation

	id, name       string
	mode, peerMode string
	data           *tenantData
	peers          []*peer
	service        *search.Service // in this process, as the libraries are in theirs
	recall         map[string][]float64
}

// measure searches with the service, over HTTP and in this process, and with the libraries in turns.
func (t *tenantSearch) measure(ctx context.Context) ([]report.Row, error) {
	steps := []harness.Step{
		{Name: "HTTP", Do: func(ctx context.Context, i int) (time.Duration, error) {
			return 0, newSearcher(t.Server, t.project(i), t.mode).searchInMode(ctx, harness.Question(i))
		}},
		{Name: "service", Do: func(ctx context.Context, i int) (time.Duration, error) {
			began := t.h.Clock.Now()
			found, err := t.service.Search(store.AsCompany(ctx, t.Company), t.Company, t.project(i),
				search.Query{Text: harness.Question(i), TopK: topK, Mode: search.Mode(t.mode)})
			took := t.h.Clock.Now().Sub(began)
			t.note("service", i, chunkIDs(&found))
			return took, err
		}},
	}
	for _, p := range t.peers {
		steps = append(steps, harness.Step{Name: p.name, Do: func(_ context.Context, i int) (time.Duration, error) {
			a, err := p.ask(t.peerMode + " " + strconv.Itoa(i))
			t.note(p.name, i, a.IDs)
			return a.took(), err
		}})
	}
	took, err := t.h.InTurns(ctx, t.h.Rounds, steps)
	if err != nil {
		return nil, err
	}
	return t.rows(took), nil
}

// project returns the project that is searched in a round.
func (t *tenantSearch) project(round int) string { return t.data.projects[round%len(t.data.projects)] }

// note stores how many of the nearest chunks were found in a round.
func (t *tenantSearch) note(who string, round int, found []string) {
	if round >= harness.WarmUp {
		nearest := t.data.nearest(round%len(t.data.projects), harness.Question(round))
		t.recall[who] = append(t.recall[who], recall(found, nearest))
	}
}

func (t *tenantSearch) rows(took map[string][]float64) []report.Row {
	name := fmt.Sprintf("%s, %d × %d chunks", t.name, len(t.data.projects), chunksPerTenant)
	list := []report.Row{report.Median(t.id, name+", whole over HTTP, the embedding by a server", "ms", took["HTTP"])}
	row := report.Median(t.id, name+", in the process", "ms", took["service"])
	if len(t.peers) == 0 {
		list = append(list, row)
	}
	for _, p := range t.peers {
		list = append(list, row.ComparedWith(p.name, report.Quantile(took[p.name], .5)).TimesLess(timesPython))
	}
	if t.mode != "semantic" {
		return list
	}
	exact := report.Figure(t.id, "recall@10 of the vectors, against the exact ones", "", mean(t.recall["service"])).AtLeast(minRecall)
	if len(t.peers) == 0 {
		list = append(list, exact)
	}
	for _, p := range t.peers {
		list = append(list, exact.ComparedWith(p.name, mean(t.recall[p.name])))
	}
	return list
}

// madeUpVectors are the vectors of the made-up model, without its server.
type madeUpVectors struct{}

// Has reports whether model is the made-up one.
func (madeUpVectors) Has(model string) bool { return model == modelserver.EmbeddingModel }

// QueryAll returns the vectors of the texts.
func (madeUpVectors) QueryAll(_ context.Context, _ string, texts []string) ([][]float32, error) {
	list := make([][]float32, len(texts))
	for i, text := range texts {
		list[i] = modelserver.Vector(text)
	}
	return list, nil
}

func chunkIDs(found *search.Result) []string {
	var ids []string
	for i := range found.Passages {
		ids = append(ids, strconv.FormatInt(found.Passages[i].ChunkID, 10))
	}
	return ids
}
