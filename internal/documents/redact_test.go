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
	"docqa/internal/testkit/doctest"
	"docqa/internal/testkit/factory"
	"docqa/jobs/jobargs"
)

// quote is a source as an answer stores it.
func quote(documentID string) column.Source {
	address := "https://example.com/secret-plan"
	return column.Source{
		Index: 1, DocumentID: documentID, DocumentTitle: "secret plan", Location: "secret-plan.txt", Excerpt: "the secret plan says so",
		ExcerptSpan: column.Span{Start: 3, End: 9}, PageNumber: new(3), SourceURL: &address, Score: 0.5,
		Spans: []column.Span{{Start: 0, End: 10}}, Quotes: []column.Span{{Start: 4, End: 15}}, ChunkIDs: []int64{1, 2},
	}
}

// answers stores answers of a tenant that quote the documents, n of them in one conversation.
func (b *bundle) answers(t *testing.T, tenant factory.Tenant, n int, documentIDs ...string) {
	t.Helper()
	ctx, conversationID := tenant.Context(t.Context()), ids.New(ids.Conversation)
	sources := column.Sources{}
	for _, id := range documentIDs {
		sources = append(sources, quote(id))
	}
	_, err := b.Store.Pool().Exec(ctx, `insert into conversations
		(company_id, project_id, conversation_id, session_id, visitor_id, channel, source, preview)
		values ($1, $2, $3, $3, '', 'public', 'api_key', '')`, tenant.CompanyID, tenant.Project.ProjectID, conversationID)
	require.NoError(t, err)
	batch := &pgx.Batch{}
	for i := range n {
		id := fmt.Sprintf("msg_%s_%d", conversationID, i)
		batch.Queue(`insert into messages (company_id, project_id, conversation_id, message_id, role, content, sources, suggested_follow_ups)
			values ($1, $2, $3, $4, 'assistant', 'the answer', $5, '{What about the plan?}')`, tenant.CompanyID, tenant.Project.ProjectID, conversationID, id, sources)
		for _, document := range documentIDs {
			batch.Queue(`insert into message_documents values ($1, $2, $3, $4, $5)`, tenant.CompanyID, tenant.Project.ProjectID, document, conversationID, id)
		}
	}
	require.NoError(t, b.Store.Pool().SendBatch(ctx, batch).Close())
}

// sources counts the stored sources of a document that still quote it, and those that are redacted.
func (b *bundle) sources(t *testing.T, documentID string) (quoting, redacted int) {
	t.Helper()
	ctx := store.AsSystem(t.Context(), "a test counts sources")
	require.NoError(t, b.Store.Pool().QueryRow(ctx, `select count(*) filter (where s::text like '%secret%'), count(*) filter (where s ? 'deleted')
		from messages m, jsonb_array_elements(m.sources) s where s ->> 'documentId' = $1`, documentID).Scan(&quoting, &redacted))
	return quoting, redacted
}

// redactions are the arguments of the redactions that wait.
func (b *bundle) redactions(t *testing.T) (list []jobargs.RedactDocuments) {
	t.Helper()
	rows, err := b.Store.Pool().Query(b.Ctx(), "select args from river_job where kind = 'redact_documents' order by id")
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
	b := setup(t)
	going, staying := b.Indexed(t, "secret-plan.txt", doctest.Essay("grinder")), b.Indexed(t, "open-plan.txt", doctest.Essay("press"))
	b.answers(t, b.Tenant, 450, going.DocumentID, staying.DocumentID)
	b.answers(t, b.Tenant, 1, staying.DocumentID)
	b.answers(t, factory.NewTenant(t, b.Store, factory.TenantOpts{}), 1, going.DocumentID) // an id that it cannot have: another company's rows are never touched

	require.NoError(t, b.Delete(going.DocumentID))
	quoting, _ := b.sources(t, going.DocumentID)
	require.Equal(t, 451, quoting, "the request itself does not wait for the messages")
	jobs := b.redactions(t)
	require.Equal(t, []jobargs.RedactDocuments{{CompanyID: b.CompanyID, ProjectID: b.ProjectID(), DocumentIDs: []string{going.DocumentID}}}, jobs,
		"the job is in the transaction of the deletion")
	for range 2 {
		done, err := b.Documents.Redact(b.Ctx(), jobs[0])
		require.NoError(t, err)
		require.False(t, done, "a job to ingest the document waits: it may still note what went wrong")
	}
	quoting, redacted := b.sources(t, going.DocumentID)
	require.Equal(t, []int{1, 450}, []int{quoting, redacted})
	quoting, redacted = b.sources(t, staying.DocumentID)
	require.Equal(t, []int{451, 0}, []int{quoting, redacted})

	var answers, events int
	ctx := b.Ctx()
	require.NoError(t, b.Store.Pool().QueryRow(ctx, "select count(*) from messages where content = 'the answer'").Scan(&answers))
	require.Equal(t, 451, answers)
	require.NoError(t, b.Store.Pool().QueryRow(ctx, "select count(*) from activity_events where activity_events::text like '%secret%'").Scan(&events))
	require.Zero(t, events)

	_, err := b.Store.Pool().Exec(ctx, `update river_job set state = 'cancelled', finalized_at = now(), errors = array['{"error": "secret"}'::jsonb]
		where kind = 'ingest_document'`)
	require.NoError(t, err)
	done, err := b.Documents.Redact(ctx, jobs[0])
	require.NoError(t, err)
	require.True(t, done)
	var left int
	require.NoError(t, b.Store.Pool().QueryRow(ctx, `select count(*) from river_job
		where kind = 'ingest_document' and args ->> 'document_id' = $1`, going.DocumentID).Scan(&left))
	require.Zero(t, left)
}

// TestSourcesRedacted: the program and the database redact alike.
func TestSourcesRedacted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := column.Sources{quote("doc_gone"), quote("doc_here")}
	var stored column.Sources
	require.NoError(t, b.Store.Pool().QueryRow(b.Ctx(), "select sources_redacted($1::jsonb, array['doc_gone', 'doc_else'])", list).Scan(&stored))
	require.Equal(t, list.Redacted([]string{"doc_here"}), stored)
	require.Equal(t, list[1], stored[1])
	require.True(t, stored[0].Deleted)
	require.Equal(t, column.Sources{}, column.Sources{}.Redacted(nil))
}

// TestDocumentsStay: a deletion waits for those who are just storing something of the document; an ingestion does not hold them up.
func TestDocumentsStay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.Uploaded(t, "a.txt", doctest.Essay("grinder"))
	q, job := dbsqlc.New(), b.Started(t, d.DocumentID)
	stay := dbsqlc.DocumentsStayParams{CompanyID: b.CompanyID, ProjectID: b.ProjectID(), DocumentIds: []string{d.DocumentID, "doc_none"}}
	err := b.Store.InTx(b.Ctx(), func(ctx context.Context, tx pgx.Tx) error {
		there, err := q.DocumentsStay(ctx, tx, stay)
		require.NoError(t, err)
		require.Equal(t, []string{d.DocumentID}, there)
		require.NoError(t, b.Ingest.Ingest(ctx, job, b.Attempt()), "an ingestion ends meanwhile")
		return b.Store.InTx(ctx, func(ctx context.Context, impatient pgx.Tx) error {
			_, err := impatient.Exec(ctx, "set local lock_timeout = '100ms'; delete from documents")
			require.ErrorContains(t, err, "lock timeout")
			return nil
		})
	})
	require.ErrorIs(t, err, pgx.ErrTxCommitRollback, "the impatient one's")
	require.NoError(t, b.Delete(d.DocumentID))
	there, err := q.DocumentsStay(b.Ctx(), b.Store.Pool(), stay)
	require.NoError(t, err)
	require.Empty(t, there)
	doctest.RequireCode(t, b.Delete(d.DocumentID), apperr.KindNotFound, "not_found")
}
