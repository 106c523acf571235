package ragapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/apitest"
)

type issue struct{ Type, DocumentID, Detail string }

// issues checks or repairs and returns what was found.
func (s *bundle) issues(t *testing.T, method string) (list []issue, repaired int, consistent bool) {
	t.Helper()
	var body struct {
		Consistent bool
		Issues     []issue
		Repaired   int
	}
	s.call(t, method, s.path("/consistency"), nil).Require(t, http.StatusOK).Into(t, &body)
	return body.Issues, body.Repaired, body.Consistent
}

// settled waits until nothing is being ingested.
func (s *bundle) settled(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		return s.count(t, "select count(*) from documents where status = 'processing'") == 0
	}, 2*time.Minute, 20*time.Millisecond)
}

func TestRagConsistency(t *testing.T) {
	t.Parallel()
	const chunksOf = "(select document_id from documents where external_id = 'a')"
	object := func(t *testing.T, s *bundle) (key string) {
		t.Helper()
		require.NoError(t, s.Store.Pool().QueryRow(s.company.Context(t), "select object_key from documents where external_id = 'a'").Scan(&key))
		return key
	}
	for name, c := range map[string]struct {
		damage func(t *testing.T, s *bundle)
		kind   string
		lost   bool // cannot be repaired
	}{
		"no passages": {kind: "missing_chunks", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			s.exec(t, "delete from chunks where document_id = "+chunksOf)
		}},
		"a passage that cannot be searched": {kind: "missing_chunks", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			s.exec(t, "delete from chunk_terms where chunk_id in (select chunk_id from chunks where document_id = "+chunksOf+")")
		}},
		"one passage too many": {kind: "orphan_chunks", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			s.exec(t, `insert into chunks (company_id, project_id, document_id, ordinal, start_offset, end_offset, body)
				select company_id, project_id, document_id, 99, 0, 1, 'x' from documents where external_id = 'a'`)
		}},
		"passages of a document that was never indexed": {kind: "orphan_chunks", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			s.exec(t, "update documents set status = 'uploaded', indexed_at = null, chunk_count = 0 where external_id = 'a'")
		}},
		"a newer version failed": {kind: "stale_version", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			s.exec(t, `update documents set status = 'failed', replacement = jsonb_build_object('title', 'A', 'filename', 'a.txt', 'format', 'txt',
				'sizeBytes', size_bytes, 'objectKey', object_key, 'objectEtag', object_etag, 'metadata', '{}'::jsonb) where external_id = 'a'`)
		}},
		"another file": {kind: "stale_version", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			text := "Airships are inflated again."
			require.NoError(t, s.objects.Put(t.Context(), object(t, s), strings.NewReader(text), int64(len(text))))
		}},
		"no file": {kind: "missing_object", lost: true, damage: func(t *testing.T, s *bundle) {
			t.Helper()
			require.NoError(t, s.objects.Remove(t.Context(), object(t, s)))
		}},
		"no file, but a page": {kind: "missing_object", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			s.exec(t, "update documents set source_url = $1 where external_id = 'a'", newSite(t).URL+"/page")
			require.NoError(t, s.objects.Remove(t.Context(), object(t, s)))
		}},
		"vectors of another length": {kind: "dimension_mismatch", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			s.exec(t, "insert into vector_models (model, dimensions) values ('m', 3)")
			s.exec(t, "update project_lexstats set vector_model = 'm'")
			s.exec(t, `insert into chunk_vectors (company_id, project_id, model, chunk_id, embedding)
				select company_id, project_id, 'm', chunk_id, case when document_id = `+chunksOf+` then '[1,2]' else '[1,2,3]' end::halfvec from chunks`)
		}},
		"no vectors": {kind: "missing_vectors", damage: func(t *testing.T, s *bundle) {
			t.Helper()
			s.exec(t, "insert into vector_models (model, dimensions) values ('m', 3)")
			s.exec(t, "update project_lexstats set vector_model = 'm'")
			s.exec(t, `insert into chunk_vectors (company_id, project_id, model, chunk_id, embedding)
				select company_id, project_id, 'm', chunk_id, '[1,2,3]' from chunks where document_id <> `+chunksOf)
			s.exec(t, "update documents set vector_models = '{m}'")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.Work(t)
			s.indexed(t, map[string]any{"documentId": "a", "text": "Airships are inflated."})
			s.indexed(t, map[string]any{"documentId": "b", "text": "Balloons are, too."})
			list, _, consistent := s.issues(t, http.MethodGet)
			require.Empty(t, list)
			require.True(t, consistent)

			c.damage(t, s)
			list, repaired, consistent := s.issues(t, http.MethodGet)
			require.Len(t, list, 1, "%v", list)
			require.Equal(t, c.kind, list[0].Type)
			require.Equal(t, "a", list[0].DocumentID)
			require.NotEmpty(t, list[0].Detail)
			require.Zero(t, repaired)
			require.False(t, consistent)

			list, repaired, _ = s.issues(t, http.MethodPost)
			require.Len(t, list, 1)
			s.settled(t)
			if c.lost {
				require.Zero(t, repaired)
				return
			}
			require.Equal(t, 1, repaired)
			if c.kind == "dimension_mismatch" || c.kind == "missing_vectors" {
				return // nobody here has the model; the ingestion left the vectors to a job
			}
			list, _, consistent = s.issues(t, http.MethodGet)
			require.Empty(t, list)
			require.True(t, consistent)
		})
	}
	t.Run("401 and 404", func(t *testing.T) {
		t.Parallel()
		s := setup(t)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			s.Do(t, apitest.Call{Method: method, Path: s.path("/consistency"), As: s.company.Owner}).Require(t, http.StatusUnauthorized)
			s.call(t, method, "/v1/rag/projects/prj_01jd8xw2v3k4m5n6p7q8r9s0ta/consistency", nil).RequireError(t, http.StatusNotFound, "not_found")
		}
	})
}
