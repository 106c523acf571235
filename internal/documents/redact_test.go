package documents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/factory"
	"docqa/jobs/jobargs"
)

// quote is a source as an answer stores it.
func quote(documentID string) column.Source {
	address := "https://example.com/secret-plan"
	return column.Source{
		Index: 1, DocumentID: documentID, DocumentTitle: "secret plan", Location: "secret-plan.txt", Excerpt: "the secret plan says so",
		ExcerptSpan: column.Span{Start: 3, End: 9}, PageNumber: new(3), SourceURL: &address, Score: 0.5,
		Spans: []column.Span{{Start: 0, End: 10}}, ChunkIDs: []int64{1, 2},
	}
}

// answers stores answers of a tenant that quote the documents, n of them in one conversation.
func (f *fixture) answers(t *testing.T, of factory.Tenant, n int, documentIDs ...string) {
	t.Helper()
	ctx, conversationID := of.Context(t.Context()), ids.New(ids.Conversation)
	sources := column.Sources{}
	for _, id := range documentIDs {
		sources = append(sources, quote(id))
	}
	_, err := f.store.Pool().Exec(ctx, `insert into conversations
		(company_id, project_id, conversation_id, session_id, visitor_id, channel, source, preview)
		values ($1, $2, $3, $3, '', 'public', 'api_key', '')`, of.CompanyID, of.Project.ProjectID, conversationID)
	require.NoError(t, err)
	batch := &pgx.Batch{}
	for i := range n {
		id := fmt.Sprintf("msg_%s_%d", conversationID, i)
		batch.Queue(`insert into messages (company_id, project_id, conversation_id, message_id, role, content, sources, suggested_follow_ups)
			values ($1, $2, $3, $4, 'assistant', 'the answer', $5, '{What about the plan?}')`, of.CompanyID, of.Project.ProjectID, conversationID, id, sources)
		for _, document := range documentIDs {
			batch.Queue(`insert into message_documents values ($1, $2, $3, $4, $5)`, of.CompanyID, of.Project.ProjectID, document, conversationID, id)
		}
	}
	require.NoError(t, f.store.Pool().SendBatch(ctx, batch).Close())
}

// sources counts the stored sources of a document that tell something of it, and those that do not.
func (f *fixture) sources(t *testing.T, documentID string) (telling, redacted int) {
	t.Helper()
	ctx := store.AsSystem(t.Context(), "a test counts sources")
	require.NoError(t, f.store.Pool().QueryRow(ctx, `select count(*) filter (where s::text like '%secret%'), count(*) filter (where s ? 'deleted')
		from messages m, jsonb_array_elements(m.sources) s where s ->> 'documentId' = $1`, documentID).Scan(&telling, &redacted))
	return telling, redacted
}

// redactions are the arguments of the redactions that wait.
func (f *fixture) redactions(t *testing.T) (list []jobargs.RedactDocuments) {
	t.Helper()
	rows, err := f.store.Pool().Query(f.ctx(), "select args from river_job where kind = 'redact_documents' order by id")
	require.NoError(t, err)
	args, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	require.NoError(t, err)
	for _, text := range args {
		var one jobargs.RedactDocuments
		require.NoError(t, json.Unmarshal(text, &one))
		list = append(list, one)
	}
	return list
}

func TestService_Redact(t *testing.T) {
	t.Parallel()
	f := setup(t)
	going, staying := f.indexed(t, "secret-plan.txt", essay("grinder")), f.indexed(t, "open-plan.txt", essay("press"))
	f.answers(t, f.Tenant, 450, going.DocumentID, staying.DocumentID)
	f.answers(t, f.Tenant, 1, staying.DocumentID)
	f.answers(t, factory.NewTenant(t, f.store, factory.TenantOpts{}), 1, going.DocumentID) // an id that it cannot have: another company's rows are never touched

	require.NoError(t, f.Delete(f.ctx(), f.CompanyID, f.project(), going.DocumentID))
	telling, _ := f.sources(t, going.DocumentID)
	require.Equal(t, 451, telling, "the request itself does not wait for the messages")
	jobs := f.redactions(t)
	require.Equal(t, []jobargs.RedactDocuments{{CompanyID: f.CompanyID, ProjectID: f.project(), DocumentIDs: []string{going.DocumentID}}}, jobs,
		"the job is in the transaction of the deletion")
	for range 2 {
		done, err := f.Redact(f.ctx(), jobs[0])
		require.NoError(t, err)
		require.False(t, done, "a job to ingest the document waits: it may still note what went wrong")
	}
	telling, redacted := f.sources(t, going.DocumentID)
	require.Equal(t, []int{1, 450}, []int{telling, redacted})
	telling, redacted = f.sources(t, staying.DocumentID)
	require.Equal(t, []int{451, 0}, []int{telling, redacted})

	var answers, events int
	ctx := f.ctx()
	require.NoError(t, f.store.Pool().QueryRow(ctx, "select count(*) from messages where content = 'the answer'").Scan(&answers))
	require.Equal(t, 451, answers)
	require.NoError(t, f.store.Pool().QueryRow(ctx, "select count(*) from activity_events where activity_events::text like '%secret%'").Scan(&events))
	require.Zero(t, events)

	_, err := f.store.Pool().Exec(ctx, `update river_job set state = 'cancelled', finalized_at = now(), errors = array['{"error": "secret"}'::jsonb]
		where kind = 'ingest_document'`)
	require.NoError(t, err)
	done, err := f.Redact(ctx, jobs[0])
	require.NoError(t, err)
	require.True(t, done)
	var left int
	require.NoError(t, f.store.Pool().QueryRow(ctx, `select count(*) from river_job
		where kind = 'ingest_document' and args ->> 'document_id' = $1`, going.DocumentID).Scan(&left))
	require.Zero(t, left)
}

// TestService_RemoveMarked_redacts: deleting all of a project's documents redacts each, in the transaction that removes it.
func TestService_RemoveMarked_redacts(t *testing.T) {
	t.Parallel()
	f := setup(t)
	var all []string
	for i := range 25 {
		all = append(all, f.uploaded(t, fmt.Sprintf("secret-%02d.txt", i), essay("grinder")).DocumentID)
	}
	jobID, err := f.DeleteAll(f.ctx(), f.project())
	require.NoError(t, err)
	require.Empty(t, f.redactions(t))
	args := jobargs.RemoveDocuments{CompanyID: f.CompanyID, ProjectID: f.project(), JobID: jobID}
	require.NoError(t, f.RemoveMarked(f.ctx(), args, f.attempt().Claim))
	var named []string
	for _, job := range f.redactions(t) {
		named = append(named, job.DocumentIDs...)
	}
	require.ElementsMatch(t, all, named)
}

// TestSourcesRedacted: the program and the database redact alike.
func TestSourcesRedacted(t *testing.T) {
	t.Parallel()
	f := setup(t)
	list := column.Sources{quote("doc_gone"), quote("doc_here")}
	var stored column.Sources
	require.NoError(t, f.store.Pool().QueryRow(f.ctx(), "select sources_redacted($1::jsonb, array['doc_gone', 'doc_else'])", list).Scan(&stored))
	require.Equal(t, list.Redacted([]string{"doc_here"}), stored)
	require.Equal(t, list[1], stored[1])
	require.True(t, stored[0].Deleted)
	require.Equal(t, column.Sources{}, column.Sources{}.Redacted(nil))
}

// TestDocumentsStay: a deletion waits for those who are just storing something of the document; an ingestion does not hold them up.
func TestDocumentsStay(t *testing.T) {
	t.Parallel()
	f := setup(t)
	d := f.uploaded(t, "a.txt", essay("grinder"))
	q, job := dbsqlc.New(), f.started(t, d.DocumentID)
	stay := dbsqlc.DocumentsStayParams{CompanyID: f.CompanyID, ProjectID: f.project(), DocumentIds: []string{d.DocumentID, "doc_none"}}
	err := f.store.InTx(f.ctx(), func(ctx context.Context, tx pgx.Tx) error {
		there, err := q.DocumentsStay(ctx, tx, stay)
		require.NoError(t, err)
		require.Equal(t, []string{d.DocumentID}, there)
		require.NoError(t, f.ingest.Ingest(ctx, job, f.attempt()), "an ingestion ends meanwhile")
		return f.store.InTx(ctx, func(ctx context.Context, impatient pgx.Tx) error {
			_, err := impatient.Exec(ctx, "set local lock_timeout = '100ms'; delete from documents")
			require.ErrorContains(t, err, "lock timeout")
			return nil
		})
	})
	require.ErrorIs(t, err, pgx.ErrTxCommitRollback, "the impatient one's")
	require.NoError(t, f.Delete(f.ctx(), f.CompanyID, f.project(), d.DocumentID))
	there, err := q.DocumentsStay(f.ctx(), f.store.Pool(), stay)
	require.NoError(t, err)
	require.Empty(t, there)
	requireCode(t, f.Delete(f.ctx(), f.CompanyID, f.project(), d.DocumentID), apperr.KindNotFound, "not_found")
}
