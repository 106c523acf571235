package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"docqa/internal/search"
	"docqa/internal/store"
)

// The figures of P4 and P5.
const (
	timesPython = 10.
	leastRecall = .99
)

// tenants is P4 and P5: the ten nearest of one tenant's passages, by vectors and by both.
func (b *bench) tenants(ctx context.Context) (rows []Row, err error) {
	up, base, err := b.upstream(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = up.stop() }()
	h, err := b.open(ctx, "tenants", "EMBEDDINGS=openai:"+base+"#"+stockModel)
	if err != nil {
		return nil, err
	}
	defer func() { _ = b.close(ctx, "tenants") }()
	t, err := b.tenancy(ctx, h)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(t.folder)
	peers, absent, err := b.libraries(ctx, t.folder)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, p := range peers {
			p.stop()
		}
	}()
	for _, kind := range []struct{ id, mode, peers, name string }{
		{"P4", "semantic", "vector", "vector top-10 of a tenant"}, {"P5", "hybrid", "hybrid", "hybrid top-10 of a tenant"},
	} {
		more, err := b.compare(ctx, h, t, peers, kind.id, kind.mode, kind.peers, fmt.Sprintf("%s, %d × %d chunks", kind.name, len(t.projects), tenantChunks))
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
		for _, name := range append(absent, "Weaviate") {
			rows = append(rows, missing(kind.id, kind.name, name, reasonOf(name)))
		}
	}
	return rows, nil
}

func reasonOf(name string) string {
	if name == "Weaviate" {
		return "no package of it can be installed"
	}
	return errNotInstalled.Error()
}

// libraries starts the peers that are installed, over a database of their own on the same server.
func (b *bench) libraries(ctx context.Context, folder string) (peers []*peer, absent []string, err error) {
	var beside house
	if err := b.createDatabase(ctx, "peers", &beside); err != nil {
		return nil, nil, err
	}
	defer beside.conn.Close(ctx)
	if _, err := beside.conn.Exec(ctx, "create extension if not exists vector"); err != nil {
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
		python, err := b.installed(l.folder, "bin", "python")
		if err != nil {
			absent = append(absent, l.name)
			continue
		}
		p, err := b.peer(ctx, l.name, []string{"PG_CONN_STR=" + beside.database}, python,
			append([]string{filepath.Join("eval", "peers", "rag", l.script), folder}, l.args...)...)
		if err != nil {
			return peers, absent, err
		}
		peers = append(peers, p)
	}
	return peers, absent, nil
}

// compare asks the service, over HTTP and as the peers are asked, in the process with the vector at hand, and
// the peers in turns.
func (b *bench) compare(ctx context.Context, h *house, t *tenancy, peers []*peer, id, mode, kind, name string) ([]Row, error) {
	library, done, err := b.library(ctx, h)
	if err != nil {
		return nil, err
	}
	defer done()
	recall := map[string][]float64{}
	note := func(who string, i int, found []string) {
		if i >= warmUp {
			recall[who] = append(recall[who], shared(found, t.exact(i%len(t.projects), question(i))))
		}
	}
	steps := []step{
		{"HTTP", func(ctx context.Context, i int) (time.Duration, error) {
			_, answered, err := h.searcher(t.projects[i%len(t.projects)], mode).ids(ctx, question(i))
			if err == nil && answered != mode {
				err = fmt.Errorf("the search was answered in the mode %s", answered)
			}
			return 0, err
		}},
		{"service", func(ctx context.Context, i int) (time.Duration, error) {
			began := b.opts.Clock.Now()
			found, err := library.Search(store.AsCompany(ctx, h.company), h.company, t.projects[i%len(t.projects)],
				search.Query{Text: question(i), TopK: topK, Mode: search.Mode(mode)})
			took := b.opts.Clock.Now().Sub(began)
			note("service", i, chunkIDs(&found))
			return took, err
		}},
	}
	for _, p := range peers {
		steps = append(steps, step{p.name, func(_ context.Context, i int) (time.Duration, error) {
			a, err := p.ask(kind + " " + strconv.Itoa(i))
			note(p.name, i, a.IDs)
			return time.Duration(a.MS * float64(time.Millisecond)), err
		}})
	}
	took, err := b.rounds(ctx, b.opts.Rounds, steps)
	if err != nil {
		return nil, err
	}
	return compared(took, recall, peers, id, mode, name), nil
}

func compared(took, recall map[string][]float64, peers []*peer, id, mode, name string) []Row {
	rows := []Row{median(id, name+", whole over HTTP, the embedding by a server", "ms", took["HTTP"])}
	row := median(id, name+", in the process", "ms", took["service"])
	for _, p := range peers {
		rows = append(rows, row.beside(p.name, quantile(took[p.name], .5)).less(timesPython))
	}
	if mode != "semantic" {
		return rows
	}
	exact := figure(id, "recall@10 of the vectors, against the exact ones", "", mean(recall["service"])).atLeast(leastRecall)
	for _, p := range peers {
		rows = append(rows, exact.beside(p.name, mean(recall[p.name])))
	}
	return rows
}

// library is the service's search in this process, over the house's database.
func (b *bench) library(ctx context.Context, h *house) (*search.Service, func(), error) {
	s, err := store.Open(ctx, h.database, store.Options{})
	if err != nil {
		return nil, nil, err
	}
	return search.New(search.Deps{Store: s, Clock: b.opts.Clock, Vectors: madeUp{}}), s.Close, nil
}

// madeUp are the vectors of the stock's model.
type madeUp struct{}

// Has knows the one model.
func (madeUp) Has(model string) bool { return model == stockModel }

// QueryAll makes the vectors up.
func (madeUp) QueryAll(_ context.Context, _ string, texts []string) ([][]float32, error) {
	list := make([][]float32, len(texts))
	for i, text := range texts {
		list[i] = vectorOf(text)
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

func mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}
