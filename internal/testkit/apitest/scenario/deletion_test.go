package scenario_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"docqa/gen/dbsqlc"
	"docqa/internal/chat"
	"docqa/internal/provider/blob"
	"docqa/internal/provider/llm"
	"docqa/internal/store"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
)

// These texts are in the document that is deleted, and nowhere else. Only an answer may still
// hold the sentence, because the text of an answer is kept.
const (
	plantedSentence = "The quetzalium valve opens at seventeen bar and needs forty turns."
	plantedTitle    = "Vorpalgauge Ledger"
	plantedFile     = "Vorpalgauge_Ledger.md"
	plantedHeading  = "Snickerplate Renewal"
	plantedURL      = "/jabber/Vorpalgauge-Page.html"
)

const plantedText = "# " + plantedTitle + "\n\n## " + plantedHeading + "\n\n" + plantedSentence + " Nobody else may turn it.\n"

const stayingText = "# Valve Service\n\n## Opening hours\n\nThe valve service answers calls from eight to six on every day of the week.\n"

// deletion is a project with a document that is kept and others that are deleted. Questions
// about them were asked in every way that stores something.
type deletion struct {
	*apitest.Env

	company *apitest.Company
	project dbsqlc.Project
	objects *blob.Store
	owner   *apitest.User
	key     string
}

// setupDeletion starts an installation whose answers model writes, which may be nil.
func setupDeletion(t *testing.T, model chat.Writer) *deletion {
	t.Helper()
	objects := blobtest.New(t)
	e := apitest.New(t, apitest.Options{Objects: objects, AllowCIDRs: []string{"127.0.0.0/8"}, Model: model})
	d := &deletion{Env: e, company: e.Company(t, "growth"), objects: objects}
	d.project = d.company.Project(t)
	d.Work(t)
	d.owner, d.key = d.company.Owner, d.company.Key(t, d.project.ProjectID, "integration", "live")
	return d
}

func (d *deletion) as(t *testing.T, method, path string, body any) *apitest.Answer {
	t.Helper()
	return d.Do(t, apitest.Call{Method: method, Path: projectPath(d.project.ProjectID) + path, As: d.owner, Body: body})
}

// uploaded uploads a file as the dashboard does and waits until questions about it are
// answered.
func (d *deletion) uploaded(t *testing.T, filename, content string) (documentID string) {
	t.Helper()
	documentID = d.Upload(t, d.owner, d.project.ProjectID, filename, content)
	d.as(t, http.MethodPost, "/documents/sync", nil).Require(t, http.StatusOK)
	require.Eventually(t, func() bool {
		return d.as(t, http.MethodGet, "/documents/"+documentID, nil).Text(t, "document.status") == "indexed"
	}, 20*time.Second, 20*time.Millisecond)
	return documentID
}

// asked asks in each way that stores an answer: without and with a stream, in the dashboard,
// in a conversation and in a test run.
func (d *deletion) asked(t *testing.T) (conversationID string) {
	t.Helper()
	question := object{"question": "At how many bar does the quetzalium valve open?"}
	first := d.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: d.key, Body: question}).Require(t, http.StatusOK)
	require.Contains(t, string(first.Body), "seventeen bar")
	question["conversationId"] = first.Text(t, "conversationId")
	d.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat/stream", Key: d.key, Body: question}).Require(t, http.StatusOK)
	d.as(t, http.MethodPost, "/chat", object{"question": "Which service answers calls about the quetzalium valve?"}).Require(t, http.StatusOK)

	var tests struct {
		TestPrompts []struct{ TestID, Prompt string }
	}
	d.as(t, http.MethodGet, "/test-prompts", nil).Require(t, http.StatusOK).Into(t, &tests)
	ids := []string{}
	for _, test := range tests.TestPrompts {
		ids = append(ids, test.TestID)
	}
	require.NotEmpty(t, ids, "the documents suggest tests")
	d.as(t, http.MethodPost, "/test-runs", object{
		"testIds": ids, "prompts": []object{{"prompt": "At how many bar does the quetzalium valve open?"}},
	}).Require(t, http.StatusOK)
	dismissed := ids[0]
	d.as(t, http.MethodDelete, "/test-prompts/"+dismissed, nil).Require(t, http.StatusOK)
	return first.Text(t, "conversationId")
}

// settled runs the jobs that are due.
func (d *deletion) settled(t *testing.T) {
	t.Helper()
	ctx := store.AsSystem(t.Context(), "a test looks at the queue")
	require.Eventually(t, func() bool {
		var open int
		require.NoError(t, d.Store.Pool().QueryRow(ctx, `select count(*) from river_job
			where state in ('available', 'pending', 'retryable', 'running') or state = 'scheduled' and scheduled_at < now()`).Scan(&open))
		return open == 0
	}, 30*time.Second, 20*time.Millisecond)
}

// own returns SQL for a row of the table without the text of its answer, which may hold the
// sentence.
func own(table string) string {
	switch table {
	case "messages":
		return "(to_jsonb(x) - 'content')::text"
	case "answer_streams":
		return "(to_jsonb(x) - 'body')::text"
	case "test_run_items":
		return "(to_jsonb(x) #- '{result,answer}')::text"
	}
	return "x::text"
}

// find searches every row of every table, including River's, in all columns, arrays, JSON and
// bytes.
func (d *deletion) find(t *testing.T, needles ...string) (found []string) {
	t.Helper()
	ctx := store.AsSystem(t.Context(), "a test looks through every company's rows")
	rows, err := d.Store.Pool().Query(ctx, `select table_name from information_schema.tables
		where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Contains(t, tables, "river_job")
	require.Contains(t, tables, "messages")
	for _, table := range tables {
		for _, needle := range needles {
			var hits int
			query := fmt.Sprintf(`select count(*) from %s x where strpos(lower(%s), lower($1)) > 0 or strpos(x::text, $2) > 0`,
				pgx.Identifier{table}.Sanitize(), own(table))
			require.NoError(t, d.Store.Pool().QueryRow(ctx, query, needle, hex.EncodeToString([]byte(needle))).Scan(&hits), table)
			if hits > 0 {
				found = append(found, fmt.Sprintf("%s: %q in %d rows", table, needle, hits))
			}
		}
	}
	return append(found, inBucket(t, d.objects, needles)...)
}

// inBucket searches the names and contents of all objects.
func inBucket(t *testing.T, objects *blob.Store, needles []string) (found []string) {
	t.Helper()
	for object, err := range objects.List(t.Context(), "", "") {
		require.NoError(t, err)
		if strings.HasPrefix(object.Key, apitest.SharedPrefix) {
			continue // the operator's object
		}
		body, err := objects.Get(t.Context(), object.Key)
		require.NoError(t, err)
		content, err := io.ReadAll(body)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		for _, needle := range needles {
			if strings.Contains(object.Key+string(content), needle) {
				found = append(found, fmt.Sprintf("object %s: %q", object.Key, needle))
			}
		}
	}
	return found
}

func planted() []string {
	return []string{plantedSentence, plantedTitle, plantedFile, "Vorpalgauge", plantedHeading, "Nobody else may turn it"}
}

// TestDeleteDocument_nothingRemains: after a deletion and its jobs nothing holds the
// document's content, its name or its object key.
func TestDeleteDocument_nothingRemains(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(t *testing.T, d *deletion, documentID string){
		"by the dashboard": func(t *testing.T, d *deletion, documentID string) {
			t.Helper()
			d.as(t, http.MethodDelete, "/documents/"+documentID, nil).Require(t, http.StatusOK)
		},
		"by a service": func(t *testing.T, d *deletion, documentID string) {
			t.Helper()
			d.Rag(t, http.MethodDelete, "/v1/rag/documents/"+documentID+"?projectId="+d.project.ProjectID, nil).Require(t, http.StatusOK)
		},
		"with all of the project": func(t *testing.T, d *deletion, _ string) {
			t.Helper()
			job := d.Rag(t, http.MethodDelete, "/v1/rag/projects/"+d.project.ProjectID, nil).Require(t, http.StatusAccepted).Text(t, "jobId")
			require.Equal(t, "completed", d.RagJob(t, job).Text(t, "status"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setupDeletion(t, nil)
			staying := d.uploaded(t, "valve-service.md", stayingText)
			going := d.uploaded(t, plantedFile, plantedText)
			conversationID := d.asked(t)
			d.settled(t)
			before := strings.Join(d.find(t, planted()...), "\n")
			for _, table := range []string{"messages", "activity_events", "test_run_items", "chunks", "documents", "object "} {
				require.Contains(t, before, table, "the search finds what is there")
			}

			remove(t, d, going)
			d.settled(t)
			require.Empty(t, d.find(t, planted()...))
			d.redacted(t, conversationID, going)
			if name != "with all of the project" {
				require.NotEmpty(t, d.find(t, "valve-service.md"), "the other document is as it was")
				d.quotes(t, staying)
			}
		})
	}
}

// redacted checks that the conversation can still be read, that its answers keep their text,
// and that their sources say that the document was deleted.
func (d *deletion) redacted(t *testing.T, conversationID, documentID string) {
	t.Helper()
	var thread struct {
		Messages []struct {
			Role, Content string
			Sources       []object
		}
	}
	d.as(t, http.MethodGet, "/conversations/"+conversationID, nil).Require(t, http.StatusOK).Into(t, &thread)
	require.Len(t, thread.Messages, 4)
	for _, m := range thread.Messages {
		if m.Role != "assistant" {
			continue
		}
		require.Contains(t, m.Content, "seventeen bar")
		i := slices.IndexFunc(m.Sources, func(s object) bool { return s["documentId"] == documentID })
		require.GreaterOrEqual(t, i, 0)
		require.Equal(t, true, m.Sources[i]["deleted"])
		for _, member := range []string{"excerpt", "documentTitle", "location"} {
			require.Empty(t, m.Sources[i][member])
		}
		require.NotEmpty(t, m.Sources[i]["spans"])
	}
}

// quotes checks that an answer still quotes the document.
func (d *deletion) quotes(t *testing.T, documentID string) {
	t.Helper()
	var quoted int
	ctx := store.AsSystem(t.Context(), "a test looks at messages")
	require.NoError(t, d.Store.Pool().QueryRow(ctx, `select count(*) from messages m, jsonb_array_elements(m.sources) s
		where s ->> 'documentId' = $1 and s ->> 'excerpt' <> '' and not s ? 'deleted'`, documentID).Scan(&quoted))
	require.Positive(t, quoted)
}

// TestDeleteDocument_ofAnAddress: after the deletion of a document that was read from an
// address, neither the address nor the page remains.
func TestDeleteDocument_ofAnAddress(t *testing.T) {
	t.Parallel()
	d := setupDeletion(t, nil)
	site := pageServer(t, plantedURL, "<html><title>x</title><body><h1>"+plantedTitle+"</h1><p>"+plantedSentence+"</p></body></html>")
	ragIndexed(t, d.Env, object{"projectId": d.project.ProjectID, "documentId": "page-1", "title": plantedTitle, "url": site + plantedURL})
	d.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: d.key, Body: object{
		"question": "At how many bar does the quetzalium valve open?",
	}}).Require(t, http.StatusOK)
	d.settled(t)
	require.Contains(t, strings.Join(d.find(t, "Vorpalgauge-Page"), "\n"), "messages")
	d.Rag(t, http.MethodDelete, "/v1/rag/documents/page-1?projectId="+d.project.ProjectID, nil).Require(t, http.StatusOK)
	d.settled(t)
	require.Empty(t, d.find(t, append(planted(), "Vorpalgauge-Page")...))
}

// pageServer serves one page and returns the site's address.
func pageServer(t *testing.T, path, page string) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// interrupted is a writer that calls a function between writing an answer and returning it.
type interrupted struct {
	chat.Writer
	between func()
}

func (w *interrupted) Write(ctx context.Context, task chat.Task, emit func(string)) (llm.Answer, error) {
	a, err := w.Writer.Write(ctx, task, emit)
	if w.between != nil {
		w.between()
	}
	return a, err
}

// TestDeleteDocument_whileAnswered: an answer that was written before the deletion and is
// stored after it quotes nothing of the document.
func TestDeleteDocument_whileAnswered(t *testing.T) {
	t.Parallel()
	model := &interrupted{Writer: chat.Extractive()}
	d := setupDeletion(t, model)
	going := d.uploaded(t, plantedFile, plantedText)
	model.between = sync.OnceFunc(func() {
		d.as(t, http.MethodDelete, "/documents/"+going, nil).Require(t, http.StatusOK)
		d.settled(t) // the jobs of the deletion found nothing to redact
	})
	a := d.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: d.key, Body: object{
		"question": "At how many bar does the quetzalium valve open?",
	}}).Require(t, http.StatusOK)
	require.Contains(t, a.Text(t, "answer"), "seventeen bar")
	require.Contains(t, string(a.Body), `"deleted":true`)
	require.NotContains(t, string(a.Body), "Vorpalgauge")
	require.Empty(t, d.find(t, planted()...))
}

// TestDeleteDocument_amongAnswers deletes a document while many questions are answered.
// Whatever the order of each answer and the deletion, nothing is quoted.
func TestDeleteDocument_amongAnswers(t *testing.T) {
	t.Parallel()
	d := setupDeletion(t, nil)
	d.uploaded(t, "valve-service.md", stayingText)
	for range 3 {
		going := d.uploaded(t, plantedFile, plantedText)
		var all errgroup.Group
		for i := range 24 {
			all.Go(func() error {
				if i == 12 {
					d.as(t, http.MethodDelete, "/documents/"+going, nil)
					return nil
				}
				d.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: d.key, Body: object{
					"question": "At how many bar does the quetzalium valve open?",
				}})
				return nil
			})
		}
		require.NoError(t, all.Wait())
		d.settled(t)
		require.Empty(t, d.find(t, planted()...))
	}
}
