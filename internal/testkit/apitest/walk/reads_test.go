package walk_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/platform/limits"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
	"docqa/internal/testkit/dbtest"
)

const (
	// manyRows is how many messages, activities and passages the company has.
	manyRows = 50_000
	// fewRows is how many rows, and blocks of tables and indexes, an operation may read,
	// whatever the size of the company: the longest pages and a little more.
	fewRows = 2_000
	// backstop ends a statement that would run far too long.
	backstop = time.Minute
)

// readsAll are the operations that count or search a whole project. The values are the most
// rows and blocks that they may read, as a share of manyRows. A plan that compares every row
// of one table with every row of another would read thousands of times as many.
func readsAll() map[string]float64 {
	const (
		documents = .25 // there is one document for ten passages, and each may be read twice
		once      = 1.5 // every passage or message, and rows joined to some of them
		twice     = 2.5
	)
	return map[string]float64{
		"getProject": documents, "listProjects": documents, "getDeployReadiness": documents, "getRagProjectStats": documents, // count them
		"listDocuments":      documents, // searches for documents with a rare status
		"getProjectOverview": once,      // counts the month's questions and conversations
		// The exact search scores every chunk.
		"chat": once, "chatStream": once, "dashboardChat": once, "dashboardChatStream": once, "createOpenAIChatCompletion": once,
		"ragChat": once, "ragChatStream": once,
		"ragSearch":           twice, // also finds the passages that the filters allow
		"checkRagConsistency": twice, // compares every passage with its words
	}
}

// readLike are the operations that only read but use another method than GET.
func readLike() []string {
	return []string{
		"chat", "chatStream", "dashboardChat", "dashboardChatStream", "createOpenAIChatCompletion", "ragSearch", "ragChat", "ragChatStream",
	}
}

// TestReads_largeCompany calls every operation that reads, in a company of 50,000 rows beside
// a smaller company and thousands of small ones. The planner has no statistics: the tables
// were never analysed, or only when they were small. The test counts the rows and blocks that
// the statements read, as the server itself explains them. It measures no time. Then it
// deletes documents.
func TestReads_largeCompany(t *testing.T) {
	t.Parallel()
	for name, analysed := range map[string]bool{"never analysed": false, "analysed while small": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newLarge(t, analysed)
			for _, op := range contract(t) {
				if op.method != http.MethodGet && !slices.Contains(readLike(), op.ID) || notBuilt(t)[op.ID] {
					continue
				}
				h.read(t, op)
			}
			h.deletes(t)
		})
	}
}

// large is an installation with a company of many rows.
type large struct {
	*apitest.Env

	company *apitest.Company
	plans   *dbtest.Plans
	values  map[string]string
	key     string
}

func newLarge(t *testing.T, analysed bool) *large {
	t.Helper()
	url := dbtest.Blank(t)
	require.NoError(t, store.Migrate(t.Context(), url))
	h := &large{plans: &dbtest.Plans{}}
	s, err := store.Open(t.Context(), url, store.Options{MaxConns: 4, Tracer: h.plans, StatementTime: backstop})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	objects, err := blob.New(blobtest.Options(t))
	require.NoError(t, err)
	h.Env = apitest.New(t, apitest.Options{Store: s, Objects: objects})
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), withoutStatistics)
	require.NoError(t, err)

	h.company = h.Company(t, limits.PlanEnterprise)
	neighbour := h.Company(t, limits.PlanEnterprise)
	project, theirs := h.company.Project(t), neighbour.Project(t)
	if analysed {
		_, err = conn.Exec(t.Context(), "analyze")
		require.NoError(t, err)
	}
	fill(t, conn, neighbour.ID, theirs.ProjectID, "b", manyRows/5)
	fill(t, conn, h.company.ID, project.ProjectID, "a", manyRows)
	_, err = conn.Exec(t.Context(), smallCompanies)
	require.NoError(t, err)

	h.key = h.company.Key(t, project.ProjectID, apikeys.Integration, apikeys.Live)
	id := func(prefix string, n int) string { return fmt.Sprintf("%s_a%025d", prefix, n) }
	h.values = map[string]string{
		"projectId": project.ProjectID, "documentId": id("doc", 5000), "conversationId": id("cnv", 12_500), "keyId": id("key", 1),
		"testId": id("tpr", 1), "testRunId": id("trn", 1), "jobId": id("job", 1), "slug": "large-company",
	}
	h.Do(t, apitest.Call{Method: http.MethodPatch, Path: "/v1/projects/" + project.ProjectID, As: h.company.Owner, Body: map[string]any{
		"shareEnabled": true, "shareSlug": h.values["slug"],
	}}).Require(t, http.StatusOK)
	_, err = conn.Exec(t.Context(), "update projects set status = 'live' where project_id = $1", project.ProjectID)
	require.NoError(t, err)
	a := h.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat/stream", Key: h.key, Body: map[string]any{"question": "word7 word9?"}}).Require(t, http.StatusOK)
	_, after, _ := strings.Cut(string(a.Body), `"assistantMessageId":"`)
	h.values["assistantMessageId"], _, _ = strings.Cut(after, `"`)
	return h
}

// read calls the operation, and again with every filter of its list. Of a list with pages it
// reads many pages, because the server plans the first statements with their actual values.
func (h *large) read(t *testing.T, op operation) {
	t.Helper()
	path := at(op, values(op, h.values))
	next := h.count(t, op, path)
	for page := 0; next != "" && page < 30; page++ {
		next = h.count(t, op, path+"?limit=100&cursor="+next)
	}
	for _, query := range h.narrowed(op) {
		if next := h.count(t, op, path+"?"+query); next != "" {
			h.count(t, op, path+"?"+query+"&cursor="+next)
		}
	}
}

// deletes removes documents. Foreign keys delete their dependent rows, by statements that the
// server plans itself.
func (h *large) deletes(t *testing.T) {
	t.Helper()
	for _, op := range contract(t) {
		if op.ID != "deleteDocument" {
			continue
		}
		for n := range 8 {
			h.values["documentId"] = fmt.Sprintf("doc_a%025d", n+1)
			h.count(t, op, at(op, values(op, h.values)))
		}
		return
	}
}

// count calls the operation, checks how much it read and returns the cursor of the next page.
func (h *large) count(t *testing.T, op operation, path string) (next string) {
	t.Helper()
	limit := max(int(readsAll()[op.ID]*manyRows), fewRows)
	h.plans.Take()
	a := h.Do(t, h.call(t, op, path))
	if op.ID != "getDevInfo" { // it does not exist outside of development
		require.Equal(t, http.StatusOK, a.Status, "%s %s: %s", op.ID, path, a.Body)
	}
	rows, blocks := 0, 0
	plans := h.plans.Take()
	for _, p := range plans {
		rows += p.Rows
		blocks += p.Blocks
	}
	t.Logf("%s %s: %d statements, %d rows, %d blocks", op.ID, path, len(plans), rows, blocks)
	if rows > limit || blocks > limit {
		for _, p := range plans {
			if p.Rows > fewRows || p.Blocks > fewRows {
				t.Logf("%d rows, %d blocks of %s %s:\n%s", p.Rows, p.Blocks, op.ID, path, p.Text)
			}
		}
		t.Errorf("%s %s looks at %d rows and %d blocks, at most %d of each are right", op.ID, path, rows, blocks, limit)
	}
	if strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") {
		next, _ = a.Get(t, "nextCursor").(string)
	}
	return next
}

// narrowed returns queries that filter the operation's list.
func (h *large) narrowed(op operation) []string {
	switch op.ID {
	case "listDocuments":
		return []string{"limit=100", "status=indexed", "status=failed", "sourceType=upload"}
	case "listConversations":
		return []string{"limit=100", "projectId=" + h.values["projectId"]}
	case "listProjectConversations":
		return []string{"limit=100", "visitorId=visitor-a-7"}
	case "listKeys":
		return []string{"projectId=" + h.values["projectId"], "status=active", "environment=live"}
	}
	return nil
}

func (h *large) call(t *testing.T, op operation, path string) apitest.Call {
	t.Helper()
	c := apitest.Call{Method: op.method, Path: path}
	if op.Body != nil {
		c.Raw = string(op.example(t))
		if op.api == "rag" {
			c.Raw = strings.ReplaceAll(c.Raw, "prj_01jd8xw2v3k4m5n6p7q8r9s0ta", h.values["projectId"])
		}
	}
	switch {
	case op.public():
	case op.scheme() == "dashboardJWT":
		c.As = h.company.Owner
	case op.api == "rag":
		c.Token = apitest.RagKey
	default:
		c.Key = h.key
	}
	return c
}

// withoutStatistics keeps the server from analysing the tables.
const withoutStatistics = `
do $$
declare
  t regclass;
begin
  for t in select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace loop
    execute format('alter table %s set (autovacuum_enabled = off)', t);
  end loop;
end $$;`

// fill makes the rows of a company.
func fill(t *testing.T, conn *pgx.Conn, companyID, projectID, mark string, many int) {
	t.Helper()
	r := strings.NewReplacer(":company", "'"+companyID+"'", ":project", "'"+projectID+"'", ":mark", "'"+mark+"'", ":many", strconv.Itoa(many))
	_, err := conn.Exec(t.Context(), r.Replace(manyOf))
	require.NoError(t, err)
}

// manyOf makes the rows of a company. A conversation has two messages; a document has ten
// passages of five words.
const manyOf = `
set session_replication_role = replica; -- the rows are right: nobody needs to check them
create or replace function pg_temp.id(prefix text, n bigint) returns text language sql immutable as
  $$ select prefix || '_' || :mark || lpad(n::text, 25, '0') $$;
insert into conversations (company_id, project_id, conversation_id, session_id, visitor_id, channel, source, preview, message_count, review_status, created_at, updated_at)
  select :company, :project, pg_temp.id('cnv', n), pg_temp.id('ses', n), 'visitor-' || :mark || '-' || n % 500, 'public', 'api_key', 'a question', 2,
    case when n % 50 = 0 then 'unresolved' else 'unreviewed' end, now() - n * interval '0.1 second', now() - n * interval '0.1 second'
  from generate_series(1, :many / 2) n;
insert into messages (company_id, project_id, conversation_id, message_id, role, content, kind, rating, rated_at, created_at)
  select :company, :project, pg_temp.id('cnv', (n + 1) / 2), pg_temp.id('msg', n), case when n % 2 = 1 then 'user' else 'assistant' end, 'some text',
    case when n % 2 = 0 then case when n % 10 = 0 then 'no_answer' else 'answer' end end, case when n % 20 = 0 then 'up' end,
    case when n % 20 = 0 then now() end, now() - n * interval '0.05 second'
  from generate_series(1, :many) n;
insert into documents (company_id, project_id, document_id, filename, title, status, content_type, format, chunk_count, size_bytes, indexed_at, created_at)
  select :company, :project, pg_temp.id('doc', n), 'a.txt', 'a', case when n % 100 = 0 then 'failed' else 'indexed' end, 'text/plain', 'txt', 10, 1000, now(), now() - n * interval '1 second'
  from generate_series(1, :many / 10) n;
insert into chunks (company_id, project_id, chunk_id, document_id, ordinal, start_offset, end_offset, heading_path, body)
  select :company, :project, n + case when :mark = 'a' then 0 else 10000000 end, pg_temp.id('doc', (n + 9) / 10), n % 10, 0, 20, '{About it}', 'word' || n % 1000 || ' is a word.'
  from generate_series(1, :many) n;
insert into chunk_terms (company_id, project_id, chunk_id, terms)
  select :company, :project, n + case when :mark = 'a' then 0 else 10000000 end, format('{%s:1,%s:1}/1000000000', 1 + n % 1000, 2000 + n % 777)::sparsevec
  from generate_series(1, :many) n;
insert into chunk_vectors (company_id, project_id, model, chunk_id, embedding)
  select :company, :project, 'm', n + case when :mark = 'a' then 0 else 10000000 end, '[1,0]'::halfvec from generate_series(1, :many) n;
insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, live_chunks, total_chunks, stale)
  values (:company, :project, :many, 5, '{1,2}', '{50,50}', :many, :many, false);
insert into activity_events (company_id, event_id, type, actor_type, project_id, resource_type, resource_id, summary, created_at)
  select :company, pg_temp.id('act', n), 'document.indexed', 'system', case when n % 10 > 0 then :project end, 'document', pg_temp.id('doc', n), 'indexed', now() - n * interval '1 second'
  from generate_series(1, :many) n;
insert into api_keys (company_id, project_id, key_id, kind, environment, prefix, last4, secret_hash, status, created_by)
  select :company, :project, pg_temp.id('key', n), case when n % 2 = 0 then 'embed' else 'integration' end, 'live', 'sk_live_Ab3d', 'abcd', sha256((:mark || n)::bytea),
    case when n % 3 = 0 then 'active' else 'revoked' end, 'usr'
  from generate_series(1, 300) n;
insert into users (user_id, email) select pg_temp.id('usr', n), :mark || n || '@example.com' from generate_series(1, :many / 10) n;
insert into members (company_id, user_id, email, role, status) select :company, pg_temp.id('usr', n), :mark || n || '@example.com', 'member', 'active' from generate_series(1, :many / 10) n;
insert into user_identities (provider, subject, user_id, email, email_verified) select 'test', pg_temp.id('sub', n), pg_temp.id('usr', n), 'a', true from generate_series(1, :many / 10) n;
insert into test_prompts (company_id, project_id, test_id, prompt, source, last_result)
  select :company, :project, pg_temp.id('tpr', n), 'a question', 'saved', 'pass' from generate_series(1, 200) n;
insert into test_runs (company_id, project_id, test_run_id, status, started_at, completed_at)
  select :company, :project, pg_temp.id('trn', n), 'completed', now(), now() from generate_series(1, 100) n;
insert into test_run_items (company_id, project_id, test_run_id, ordinal, prompt)
  select :company, :project, pg_temp.id('trn', (n + 49) / 50), n % 50, 'a question' from generate_series(1, 5000) n;
insert into rag_jobs (company_id, project_id, job_id, type, status, total, completed_at)
  select :company, :project, pg_temp.id('job', n), 'ingest', 'completed', 1, now() from generate_series(1, :many / 10) n;
insert into idempotency_keys (company_id, scope, key, request_hash) select :company, 'a', n::text, '' from generate_series(1, :many / 10) n;
insert into projects (company_id, project_id, name, slug, chat_model_arn, created_by)
  select :company, pg_temp.id('prj', n), 'Project', 'project' || n, 'extractive', 'usr' from generate_series(1, 99) n;
set session_replication_role = origin;`

// smallCompanies makes two thousand companies of a few rows each.
const smallCompanies = `
set session_replication_role = replica;
insert into companies (company_id, name, slug, plan, owner_user_id) select 'cmp_' || n, 'Company', 'slug' || n, 'free', 'usr_' || n from generate_series(1, 2000) n;
insert into projects (company_id, project_id, name, slug, chat_model_arn, created_by) select 'cmp_' || n, 'prj_' || n, 'Project', 'project', 'extractive', 'usr' from generate_series(1, 2000) n;
insert into conversations (company_id, project_id, conversation_id, session_id, visitor_id, channel, source, preview)
  select 'cmp_' || n / 5, 'prj_' || n / 5, 'cnv_' || n, 'ses_' || n, 'v', 'public', 'api_key', 'a question' from generate_series(5, 10004) n;
insert into messages (company_id, project_id, conversation_id, message_id, role, content)
  select 'cmp_' || n / 5, 'prj_' || n / 5, 'cnv_' || n, 'msg_' || n, 'user', 'a question' from generate_series(5, 10004) n;
insert into documents (company_id, project_id, document_id, filename, title, content_type, format)
  select 'cmp_' || n / 5, 'prj_' || n / 5, 'doc_' || n, 'a', 'a', 'text/plain', 'txt' from generate_series(5, 10004) n;
set session_replication_role = origin;`
