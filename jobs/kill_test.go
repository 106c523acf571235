//go:build kill

package jobs_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/modelhost"
	"docqa/jobs/jobargs"
)

// TestKill9 kills worker processes while they ingest. Every document must be indexed, once, and
// without a long wait.
func TestKill9(t *testing.T) {
	t.Parallel()
	const (
		files   = 300
		kills   = 20
		workers = 3
		timeout = 5 * time.Minute
	)
	p := setup(t, factory.Reader{})
	for i := range files {
		p.uploaded(t, fmt.Sprintf("%d.txt", i), strings.Repeat(fmt.Sprintf("Sentence of document %d about grinders. ", i), 80))
	}
	_, err := p.Store.Pool().Exec(p.ctx(), "update projects set status = 'indexing'")
	require.NoError(t, err)
	p.sync(t)

	start := time.Now()
	running := make([]*exec.Cmd, workers)
	for i := range running {
		running[i] = startWorker(t, p)
	}
	for k := range kills {
		// spread over the whole work: the next one when its share of the documents is done
		require.Eventually(t, func() bool { return ask[int](t, p, countIndexed) >= k*files/(kills+1) }, timeout, time.Millisecond)
		victim := k % workers
		require.NoError(t, running[victim].Process.Kill())
		_ = running[victim].Wait()
		running[victim] = startWorker(t, p)
	}
	require.Eventually(t, func() bool { return ask[int](t, p, countIndexed) == files }, timeout, 5*time.Millisecond, "every document is indexed")
	took := time.Since(start)
	for _, cmd := range running {
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
	}
	extra := ask[int](t, p, "select sum(attempt) - count(*) from river_job where kind = 'ingest_document'")
	t.Logf("%d documents, %d kills: %s, %d attempts interrupted", files, kills, took.Round(10*time.Millisecond), extra)

	require.Equal(t, files, ask[int](t, p, "select count(*) from river_job where kind = 'ingest_document' and state = 'completed'"))
	require.Equal(t, files, ask[int](t, p, "select count(*) from activity_events where type = 'document.indexed'"), "each indexed once")
	require.Zero(t, ask[int](t, p, "select count(*) from (select 1 from chunks group by document_id, ordinal having count(*) > 1) twice"))
	require.Zero(t, ask[int](t, p, `select count(*) from documents d
		where chunk_count = 0 or chunk_count <> (select count(*) from chunks c where c.document_id = d.document_id)
		or chunk_count <> (select count(*) from chunk_terms t join chunks c using (company_id, project_id, chunk_id) where c.document_id = d.document_id)`))
	require.Equal(t, "live", ask[string](t, p, "select status from projects"))
	require.Equal(t, ask[int](t, p, "select count(*) from chunks"), ask[int](t, p, "select chunk_count from project_lexstats"))
}

// TestKill9_whileVectorsAreBuilt kills workers while they build the vectors of a project with
// another model. The old vectors answer until the new ones are complete, and only the work of
// the killed attempts is repeated.
func TestKill9_whileVectorsAreBuilt(t *testing.T) {
	t.Parallel()
	const (
		chunks  = 1280
		kills   = 5
		timeout = 5 * time.Minute
	)
	p := setup(t, factory.Reader{})
	p.pages(t, chunks)
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	first, err := vectorsOf(t.Context(), p.Store, "openai:"+h.URL+"#old")
	require.NoError(t, err)
	require.NoError(t, first.Build(p.ctx(), jobargs.BuildVectors{CompanyID: p.CompanyID, ProjectID: p.project()}, jobargs.Attempt{}))
	require.Equal(t, chunks, ask[int](t, p, countVectors, "old"))

	worker := func() *exec.Cmd {
		return startWorkerWith(t, workerOptions{Database: p.url, Storage: p.storage, Embeddings: "openai:" + h.URL + "#new"})
	}
	running := worker()
	for k := range kills {
		require.Eventually(t, func() bool {
			return ask[int](t, p, countVectors, "new") >= (k+1)*chunks/(kills+2)
		}, timeout, time.Millisecond)
		require.NoError(t, running.Process.Kill())
		_ = running.Wait()
		if ask[int](t, p, countVectors, "new") < chunks {
			require.Equal(t, "old", ask[string](t, p, "select vector_model from project_lexstats"))
			require.Equal(t, chunks, ask[int](t, p, countVectors, "old"))
		}
		running = worker()
	}
	require.Eventually(t, func() bool {
		return ask[string](t, p, "select vector_model from project_lexstats") == "new"
	}, timeout, 5*time.Millisecond)
	require.NoError(t, running.Process.Kill())
	_ = running.Wait()
	require.Equal(t, chunks, ask[int](t, p, countVectors, "new"))
	require.Zero(t, ask[int](t, p, countVectors, "old"))
	texts := 0
	for _, r := range h.Requests() {
		if list, ok := r.Body["input"].([]any); ok && r.Body["model"] == "new" {
			texts += len(list)
		}
	}
	require.LessOrEqual(t, texts, 3*chunks+(kills+1)*(3*16+1), "the chunk and its two sentences, and a page for each kill")
}
