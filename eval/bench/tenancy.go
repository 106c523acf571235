package bench

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
)

const (
	tenantChunks = 500
	mostTenants  = 100
)

// tenancy is one collection of many tenants, in the service and in a folder for the peers.
type tenancy struct {
	folder   string
	projects []string
	first    []int64       // chunk id of each tenant's first chunk
	vectors  [][][]float32 // by tenant
}

// tenancy writes the collection.
func (b *bench) tenancy(ctx context.Context, h *house) (*tenancy, error) {
	n := max(1, min(mostTenants, b.opts.Chunks/tenantChunks))
	b.say("storing %d passages of %d tenants", n*tenantChunks, n)
	s, err := b.stocked(ctx, h, true)
	if err != nil {
		return nil, err
	}
	t := &tenancy{}
	if t.folder, err = os.MkdirTemp("", "docqa-bench-"); err != nil {
		return nil, err
	}
	chunks, err := newTable(t.folder, "chunks")
	if err != nil {
		return nil, err
	}
	for tenant := range n {
		project, err := s.project(ctx)
		if err != nil {
			return nil, err
		}
		t.projects, t.first = append(t.projects, project), append(t.first, s.next)
		var own [][]float32
		id := s.next
		err = s.add(ctx, s.begin(project), tenantChunks, func(i int) string {
			body := paragraph(uint64(tenant*tenantChunks + i))
			own = append(own, vectorOf(body))
			chunks.add(own[len(own)-1], strconv.FormatInt(id+int64(i), 10), tenantName(tenant), body)
			return body
		})
		if err != nil {
			return nil, err
		}
		t.vectors = append(t.vectors, own)
	}
	queries, err := newTable(t.folder, "queries")
	if err != nil {
		return nil, err
	}
	for i := range warmUp + b.opts.Rounds {
		queries.add(vectorOf(question(i)), tenantName(i%n), question(i))
	}
	return t, errors.Join(s.settle(ctx), chunks.close(), queries.close())
}

// tenantName is no number: libraries compare numbers in their own ways.
func tenantName(n int) string { return "tenant-" + strconv.Itoa(n) }

// exact are the chunks of a tenant that are nearest to the question.
func (t *tenancy) exact(tenant int, query string) []string {
	q := vectorOf(query)
	order := make([]int, len(t.vectors[tenant]))
	cosines := make([]float64, len(order))
	for i, v := range t.vectors[tenant] {
		order[i] = i
		for d := range v {
			cosines[i] += float64(v[d]) * float64(q[d])
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(cosines[j], cosines[i]) })
	found := make([]string, topK)
	for i := range found {
		found[i] = strconv.FormatInt(t.first[tenant]+int64(order[i]), 10)
	}
	return found
}

func shared(found, wanted []string) float64 {
	n := 0
	for _, id := range wanted {
		if slices.Contains(found, id) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}
