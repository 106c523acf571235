//go:build kill

package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/platform/models"
	"docqa/internal/store"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/modelhost"
)

const stopQuestion = `"How long does the warranty last?"`

// installation is a database with a project for each of some models, and the settings of the
// processes that serve it.
type installation struct {
	factory.Tenant
	settings map[string]string
	store    *store.Store
	projects map[string]string // by model
	keys     map[string]string // by model
}

func install(t *testing.T, hosts map[string]*modelhost.Host) *installation {
	t.Helper()
	in := &installation{settings: working(t), projects: map[string]string{}, keys: map[string]string{}}
	var catalog strings.Builder
	catalog.WriteString("models:\n")
	for name, host := range hosts {
		fmt.Fprintf(&catalog, "  - {id: %s, provider: openai, model: m, base_url: %q}\n", name, host.URL)
	}
	file := filepath.Join(t.TempDir(), "models.yaml")
	require.NoError(t, os.WriteFile(file, []byte(catalog.String()), 0o600))
	in.settings["MODELS_FILE"], in.settings["RATE_LIMIT_SCALE"], in.settings["OPS_ADDR"] = file, "100000", "127.0.0.1:0"
	in.settings["RAG_SERVICE_KEYS"] = strings.Repeat("r", 32)
	var err error
	in.store, err = store.Open(t.Context(), in.settings["DATABASE_URL"], store.Options{})
	require.NoError(t, err)
	t.Cleanup(in.store.Close)
	in.Tenant = factory.NewTenant(t, in.store, factory.TenantOpts{Plan: limits.PlanEnterprise})
	keys := apikeys.New(apikeys.Deps{Store: in.store, Clock: clock.System(), Logger: slog.New(slog.DiscardHandler), Pepper: []byte(in.settings["KEY_PEPPER"])})
	for name := range hosts {
		p := in.NewProject(t, in.store, factory.TenantOpts{})
		in.projects[name] = p.ProjectID
		_, err := in.store.Pool().Exec(in.Context(t.Context()), "update projects set chat_model_arn = $1 where project_id = $2", name, p.ProjectID)
		require.NoError(t, err)
		factory.Document(t, in.store, in.Tenant, p.ProjectID, "warranty.txt", "The warranty lasts 24 months from the date of purchase.")
		factory.Reindex(t, in.store, in.Tenant, p.ProjectID, factory.Epoch())
		issued, err := keys.Create(in.Context(t.Context()), in.CompanyID, p.ProjectID, apikeys.Input{Kind: apikeys.Integration, Environment: apikeys.Live, By: "usr"})
		require.NoError(t, err)
		in.keys[name] = issued.Secret
	}
	return in
}

func (in *installation) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, in.store.Pool().QueryRow(in.Context(t.Context()), sql, args...).Scan(&n))
	return n
}

// serving is a running process.
type serving struct {
	cmd      *exec.Cmd
	api, ops string
	log      *bytes.Buffer // may be read only after the process has ended
	ended    chan error
}

// serve starts the program and returns when it listens.
func (in *installation) serve(t *testing.T) *serving {
	t.Helper()
	s := &serving{cmd: command(t, in.settings, "serve"), log: &bytes.Buffer{}, ended: make(chan error, 1)}
	pipe, err := s.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	listening := make(chan [2]string, 1)
	go func() {
		at := map[string]string{}
		scanner := bufio.NewScanner(io.TeeReader(pipe, s.log))
		for scanner.Scan() {
			var line struct{ Msg, For, Address string }
			if json.Unmarshal(scanner.Bytes(), &line) != nil || line.Msg != "listening" {
				continue
			}
			if at[line.For] = line.Address; len(at) == 2 {
				listening <- [2]string{at["api"], at["ops"]}
			}
		}
		s.ended <- s.cmd.Wait()
	}()
	select {
	case at := <-listening:
		s.api, s.ops = at[0], at[1]
	case err := <-s.ended:
		require.NoError(t, err, s.tail())
	}
	return s
}

// tail is the end of the log of a process that has ended.
func (s *serving) tail() string { return string(s.log.Bytes()[max(0, s.log.Len()-2000):]) }

func (s *serving) terminate(t *testing.T) {
	t.Helper()
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
}

// ready tells whether a load balancer would send requests here.
func (s *serving) ready(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.ops+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func post(ctx context.Context, url, key, body string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	return http.DefaultTransport.RoundTrip(req)
}

// TestServe_StopsWithOpenStreams: each of 200 streams ends with a done or an error frame,
// answers that were ready in time are stored, and the program exits without error.
func TestServe_StopsWithOpenStreams(t *testing.T) {
	t.Parallel()
	const each = 100
	said := []string{"The warranty lasts", " 24 months from the date of purchase [1]."}
	release := make(chan struct{})
	hosts := map[string]*modelhost.Host{
		"slow":  modelhost.New(t, models.OpenAI, modelhost.Script{Fragments: said, Until: release}),
		"never": modelhost.New(t, models.OpenAI, modelhost.Script{Fragments: said[:1], Until: make(chan struct{})}),
	}
	in := install(t, hosts)
	in.settings["SHUTDOWN_TIMEOUT"], in.settings["DRAIN_TIME"] = "10s", "1s"
	process := in.serve(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	last := map[string]int{} // counts the last frames of the streams
	stream := func(name, path, key, body string) {
		all.Go(func() {
			end := "no answer"
			resp, err := post(t.Context(), "http://"+process.api+path, key, body)
			if err == nil {
				lines := bufio.NewScanner(resp.Body)
				for lines.Scan() {
					if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
						end = lastFrame(data)
					}
				}
				if lines.Err() != nil {
					end = "broken off after " + end
				}
				_ = resp.Body.Close()
			}
			mu.Lock()
			defer mu.Unlock()
			last[name+": "+end]++
		})
	}
	for range each {
		stream("slow", "/v1/chat/stream", in.keys["slow"], `{"question":`+stopQuestion+`}`)
		stream("never", "/v1/chat/stream", in.keys["never"], `{"question":`+stopQuestion+`}`)
	}
	stream("openai", "/v1/openai/chat/completions", in.keys["never"], `{"stream":true,"messages":[{"role":"user","content":`+stopQuestion+`}]}`)
	stream("rag", "/v1/rag/chat/stream", in.settings["RAG_SERVICE_KEYS"], `{"projectId":"`+in.projects["never"]+`","question":`+stopQuestion+`}`)
	require.Eventually(t, func() bool { // every question is being answered
		return len(hosts["slow"].Requests()) == each && len(hosts["never"].Requests()) == each+2
	}, 30*time.Second, time.Millisecond)
	process.terminate(t)
	require.Eventually(t, func() bool { return !process.ready(t.Context()) }, 10*time.Second, time.Millisecond)
	close(release)
	all.Wait()
	require.NoError(t, <-process.ended, process.tail())
	require.Equal(t, map[string]int{
		"slow: done": each, "never: shutting_down": each, "openai: shutting_down": 1, "rag: shutting_down": 1,
	}, last)
	require.Equal(t, 2*each, in.count(t, "select count(*) from messages where project_id = $1", in.projects["slow"]))
	require.Zero(t, in.count(t, "select count(*) from messages where project_id = $1", in.projects["never"]), "no half of an answer")
	require.Equal(t, each, in.count(t, "select coalesce(sum(messages), 0) from usage_shards"), "what was not answered does not count")
	require.Equal(t, each+1, in.count(t, "select count(*) from answer_streams where error_code = 'shutting_down'"), "for those who resume")
	require.Zero(t, in.count(t, "select count(*) from stream_leases"))
}

// lastFrame names a frame: its type, or its code if it is an error.
func lastFrame(data string) string {
	var frame struct{ Type, Code string }
	if err := json.Unmarshal([]byte(data), &frame); err != nil {
		return data
	}
	if frame.Code != "" {
		return frame.Code
	}
	return frame.Type
}

// balancer sends requests to the processes that are ready, in turns.
type balancer struct {
	mu   sync.Mutex
	next int
	all  []*serving
}

func (b *balancer) replace(i int, s *serving) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all[i] = s
}

func (b *balancer) pick(ctx context.Context) *serving {
	for ctx.Err() == nil {
		b.mu.Lock()
		b.next++
		s := b.all[b.next%len(b.all)]
		b.mu.Unlock()
		if s.ready(ctx) {
			return s
		}
	}
	return nil
}

// TestServe_RollingRestart restarts one process after the other while requests arrive. No
// request fails.
func TestServe_RollingRestart(t *testing.T) {
	t.Parallel()
	in := install(t, map[string]*modelhost.Host{"extractive-by-default": modelhost.New(t, models.OpenAI, modelhost.Script{})})
	key, project := in.keys["extractive-by-default"], in.projects["extractive-by-default"]
	_, err := in.store.Pool().Exec(in.Context(t.Context()), "update projects set chat_model_arn = $1 where project_id = $2", models.Extractive, project)
	require.NoError(t, err)
	b := &balancer{all: []*serving{in.serve(t), in.serve(t)}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var answered atomic.Int64
	var failed sync.Map
	var load sync.WaitGroup
	for worker := range 4 {
		load.Go(func() {
			for ctx.Err() == nil {
				path := []string{"/v1/chat", "/v1/chat/stream"}[worker%2]
				s := b.pick(ctx)
				if s == nil {
					return
				}
				// A question that was sent before the load ends may end afterwards.
				if err := answer(context.WithoutCancel(ctx), "http://"+s.api+path, key); err != nil {
					failed.Store(err.Error(), path)
				}
				answered.Add(1)
			}
		})
	}
	more := func() {
		from := answered.Load()
		require.Eventually(t, func() bool { return answered.Load() > from+20 }, 30*time.Second, time.Millisecond)
	}
	more()
	for i := range b.all {
		process := b.all[i]
		process.terminate(t)
		require.NoError(t, <-process.ended, process.tail())
		b.replace(i, in.serve(t))
		more()
	}
	stop()
	load.Wait()
	failed.Range(func(text, path any) bool { t.Errorf("%s: %s", path, text); return true })
	for _, process := range b.all {
		process.terminate(t)
		require.NoError(t, <-process.ended)
	}
}

// answer asks one question. It returns an error if the request fails.
func answer(ctx context.Context, url, key string) error {
	resp, err := post(ctx, url, key, `{"question":`+stopQuestion+`}`)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`"confidence"`)) { // "confidence" is in a complete answer, and in the last frame of a stream
		return fmt.Errorf("%d: %s", resp.StatusCode, body)
	}
	return nil
}
