package search

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/modelserver"
)

const (
	chunksPerTenant = 500
	maxTenants      = 100
)

// tenantData is one collection of many tenants, in the service and in a folder for the other products.
type tenantData struct {
	folder   string
	projects []string
	first    []int64       // by tenant: the id of its first chunk
	vectors  [][][]float32 // by tenant and chunk
}

// storeTenants writes the collection. The caller removes its folder.
func (in *installation) storeTenants(ctx context.Context) (d *tenantData, err error) {
	n := max(1, min(maxTenants, in.h.Chunks/chunksPerTenant))
	in.h.Progress("storing %d chunks of %d tenants", n*chunksPerTenant, n)
	d = &tenantData{}
	if d.folder, err = os.MkdirTemp("", "docqa-bench-"); err != nil {
		return nil, err
	}
	chunks, err := newTable(d.folder, "chunks")
	if err != nil {
		return d, err
	}
	for tenant := range n {
		if err := d.storeTenant(ctx, in.loader, chunks, tenant); err != nil {
			return d, err
		}
	}
	queries, err := newTable(d.folder, "queries")
	if err != nil {
		return d, err
	}
	for i := range harness.WarmUp + in.h.Rounds {
		queries.add(modelserver.Vector(harness.Question(i)), tenantName(i%n), harness.Question(i))
	}
	return d, errors.Join(in.loader.finish(ctx), chunks.close(), queries.close())
}

func (d *tenantData) storeTenant(ctx context.Context, into *loader, chunks *table, tenant int) error {
	c, err := into.newCollection(ctx)
	if err != nil {
		return err
	}
	first := into.nextID
	var vectors [][]float32
	err = c.add(ctx, chunksPerTenant, func(i int) string {
		body := harness.Paragraph(uint64(tenant*chunksPerTenant + i))
		v := modelserver.Vector(body)
		vectors = append(vectors, v)
		chunks.add(v, strconv.FormatInt(first+int64(i), 10), tenantName(tenant), body)
		return body
	})
	d.projects, d.first, d.vectors = append(d.projects, c.project), append(d.first, first), append(d.vectors, vectors)
	return err
}

// tenantName is not a number, since the libraries compare numbers in different ways.
func tenantName(n int) string { return "tenant-" + strconv.Itoa(n) }

// nearest returns the ids of the chunks of a tenant that are nearest to the question, found by comparing all of them.
func (d *tenantData) nearest(tenant int, query string) []string {
	q := modelserver.Vector(query)
	order := make([]int, len(d.vectors[tenant]))
	cosines := make([]float64, len(order))
	for i, v := range d.vectors[tenant] {
		order[i] = i
		for d := range v {
			cosines[i] += float64(v[d]) * float64(q[d])
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(cosines[j], cosines[i]) })
	found := make([]string, topK)
	for i := range found {
		found[i] = strconv.FormatInt(d.first[tenant]+int64(order[i]), 10)
	}
	return found
}

// recall returns the share of the wanted ids that were found.
func recall(found, wanted []string) float64 {
	n := 0
	for _, id := range wanted {
		if slices.Contains(found, id) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}
