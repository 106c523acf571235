package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/devenv/devclient"
	"docqa/internal/devenv/devfile"
	"docqa/internal/platform/config"
)

const warranty = "# Warranty\n\nThank you for buying a lamp. The warranty covers the battery for two years. It covers the frame for ten years.\n"

// bundle is a running docqa dev.
type bundle struct {
	data string // its data folder
	file *devfile.File
	out  string // its output until it was ready
}

// setup runs docqa dev on free ports until t ends.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{data: dataFolder(t)}
	stop := b.start(t)
	t.Cleanup(stop)
	return b
}

// dataFolder makes a folder that the user of PostgreSQL can enter. Others cannot enter
// t.TempDir.
func dataFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "docqa-dev-") //nolint:usetesting // see above
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return filepath.Join(dir, "data")
}

func (b *bundle) args(t *testing.T, more ...string) []string {
	t.Helper()
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	args := []string{"dev", "--data", b.data, "--examples", examples}
	for _, name := range []string{"port", "ops-port", "idp-port", "mail-port", "smtp-port", "s3-port"} {
		args = append(args, "--"+name, "0")
	}
	return append(args, more...)
}

// start runs docqa dev until it is ready; stop ends it.
func (b *bundle) start(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 5*time.Minute) // stop runs after the test's context has ended
	cmd := exec.CommandContext(ctx, program(t), b.args(t)...)
	cmd.Env, cmd.Dir = []string{"SANDBOX=" + config.SandboxWeak, "PG_BIN=" + os.Getenv("PG_BIN")}, t.TempDir()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		var err error
		if b.file, err = devfile.Read(b.data); err == nil {
			break
		}
		select {
		case err := <-ended:
			cancel()
			t.Fatalf("docqa dev ended: %v\n%s", err, out.String())
		case <-tick.C:
		}
	}
	return func() {
		defer cancel()
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.NoError(t, <-ended, "a stop that was asked for is no failure")
		b.out = out.String()
	}
}

// docqa runs a command against the running docqa dev.
func (b *bundle) docqa(t *testing.T, args ...string) ended {
	t.Helper()
	return run(t, nil, append(args, "--data", b.data)...)
}

// text runs a command that must succeed and returns what it printed.
func (b *bundle) text(t *testing.T, args ...string) string {
	t.Helper()
	e := b.docqa(t, args...)
	require.Zero(t, e.code, "%v: %s", args, e.errOut)
	return strings.TrimSpace(e.out)
}

// into runs a command with --json and decodes its output.
func (b *bundle) into(t *testing.T, v any, args ...string) {
	t.Helper()
	out := b.text(t, append(args, "--json")...)
	require.NoError(t, json.Unmarshal([]byte(out), v), out)
}

func TestDev(t *testing.T) {
	t.Parallel()
	b := setup(t)
	t.Run("a project, a key, a document and an answer", func(t *testing.T) {
		t.Parallel()
		b.testMainJob(t)
	})
	t.Run("keys", func(t *testing.T) {
		t.Parallel()
		b.testKeys(t)
	})
	t.Run("credentials", func(t *testing.T) {
		t.Parallel()
		b.testCredentials(t)
	})
	t.Run("a second docqa dev", func(t *testing.T) {
		t.Parallel()
		e := run(t, nil, b.args(t)...)
		require.Equal(t, 1, e.code)
		require.Contains(t, e.errOut, "docqa dev runs already as process "+strconv.Itoa(b.file.PID))
		_, err := devfile.Read(b.data)
		require.NoError(t, err, "dev.json belongs to the first one")
	})
	t.Run("an account", func(t *testing.T) {
		t.Parallel()
		b.text(t, "user", "add", "--email", "new@example.test", "--password", "a long password")
		require.Len(t, strings.Split(b.text(t, "token", "--email", "new@example.test", "--password", "a long password"), "."), 3)
		require.Equal(t, 1, b.docqa(t, "token", "--email", "new@example.test", "--password", "a wrong one").code)
		require.Contains(t, b.docqa(t, "token", "--email", "new@example.test").errOut, "give --password")
	})
}

func (b *bundle) testMainJob(t *testing.T) {
	t.Helper()
	projectID := b.text(t, "project", "create", "Lamps", "--description", "Questions about lamps")
	require.True(t, strings.HasPrefix(projectID, "prj_"), projectID)
	require.Regexp(t, projectID+` +draft +0 of 0 +Lamps`, b.text(t, "project", "list"))
	var list struct {
		Projects []struct{ ProjectID, Description string }
	}
	b.into(t, &list, "project", "list")
	require.Contains(t, list.Projects, struct{ ProjectID, Description string }{projectID, "Questions about lamps"})

	name := filepath.Join(t.TempDir(), "warranty.md")
	require.NoError(t, os.WriteFile(name, []byte(warranty), 0o600))
	first := b.docqa(t, "ingest", "--project", projectID, name)
	require.Zero(t, first.code, first.errOut)
	require.Contains(t, first.errOut, "uploaded "+name)
	again := b.docqa(t, "ingest", "--project", projectID, name)
	require.Zero(t, again.code, again.errOut)
	require.Contains(t, again.errOut, "already there, unchanged: "+name)
	require.NotContains(t, again.errOut, "uploaded")
	var ingested struct {
		Documents []struct{ DocumentID string }
		Unchanged []string
	}
	b.into(t, &ingested, "ingest", "--project", projectID, name)
	require.Equal(t, []string{ingested.Documents[0].DocumentID}, ingested.Unchanged)
	require.NoError(t, os.WriteFile(name, []byte(warranty+"\nThe cable is blue.\n"), 0o600))
	require.Contains(t, b.docqa(t, "ingest", "--project", projectID, name).errOut, "another document of this name stays")

	question := "How long does the warranty cover the battery?"
	key := b.text(t, "key", "create", "--project", projectID)
	for _, args := range [][]string{
		{"ask", question, "--project", projectID},                       // as a member of the example company
		{"ask", question, "--key", key},                                 // the key names the project
		{"ask", question, "--key", key, "--url", b.file.BaseURL},        // as for another installation
		{"ask", question, "--project", projectID, "--email", b.owner()}, // as another user
	} {
		answer := b.text(t, args...)
		require.Contains(t, answer, "[1] warranty: “The warranty covers the battery for two years.", "%v", args)
		require.Regexp(t, `Confidence: (high|medium|low) \(0\.\d\d\)`, answer)
	}
	var raw struct {
		Answer  string
		Sources []struct{ Excerpt string }
	}
	b.into(t, &raw, "ask", question, "--key", key)
	require.NotEmpty(t, raw.Sources)
}

func (b *bundle) testKeys(t *testing.T) {
	t.Helper()
	projectID := b.text(t, "project", "create", "Keys")
	var issued struct {
		Key    struct{ KeyID, Label string }
		Secret string
	}
	b.into(t, &issued, "key", "create", "--project", projectID, "--type", "embed", "--environment", "test", "--label", "web page")
	require.True(t, strings.HasPrefix(issued.Secret, "embed_test_"), issued.Secret)
	list := func() string { return b.text(t, "key", "list", "--project", projectID) }
	require.Regexp(t, issued.Key.KeyID+` +active +embed +test +\S+ +never +web page`, list())
	require.NotContains(t, list(), issued.Secret)
	require.Contains(t, b.text(t, "key", "revoke", issued.Key.KeyID, "--project", projectID), "is revoked")
	require.Regexp(t, issued.Key.KeyID+` +revoked `, list())
	e := b.docqa(t, "key", "revoke", "key_unknown", "--project", projectID)
	require.Equal(t, 1, e.code)
	require.Contains(t, e.errOut, "docqa: the API answered 404")
	e = b.docqa(t, "key", "create", "--project", projectID, "--email", devclient.Member(b.file.Companies[0]).Email)
	require.Equal(t, 1, e.code, "keys need the role admin")
	require.Contains(t, e.errOut, "docqa: the API answered 403")
}

func (b *bundle) testCredentials(t *testing.T) {
	t.Helper()
	elsewhere := "http://127.0.0.1:1"
	cases := map[string]struct {
		args []string
		code int
		want string
	}{
		"another installation without a token":       {[]string{"project", "list", "--url", elsewhere}, 2, "--url needs --token"},
		"another installation without a project":     {[]string{"key", "list", "--url", elsewhere, "--token", "x"}, 2, "--project is missing"},
		"another installation without a service key": {[]string{"ingest", "https://example.com", "--url", elsewhere, "--project", "p"}, 2, "--rag-key"},
		"another installation that is away":          {[]string{"project", "list", "--url", elsewhere, "--token", "x"}, 1, "connection refused"},
		"an unknown user":                            {[]string{"project", "list", "--email", "nobody@example.test"}, 1, "nobody@example.test"},
		"no such file":                               {[]string{"ingest", "nothing.md"}, 1, "nothing.md is neither a file nor an address"},
		"a foreign project":                          {[]string{"ask", "Why?", "--email", b.owner(), "--project", "prj_x"}, 1, "the API answered 404"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := b.docqa(t, c.args...)
			require.Equal(t, c.code, e.code, e.errOut)
			require.Len(t, e.lines(), 1, e.errOut)
			require.Contains(t, e.errOut, c.want)
		})
	}
}

func (b *bundle) owner() string { return b.file.Companies[0].Users[0].Email }

// TestDev_Restarts: after a restart docqa dev shows the current plans and projects.
func TestDev_Restarts(t *testing.T) {
	t.Parallel()
	b := &bundle{data: dataFolder(t)}
	stop := b.start(t)
	before := b.file.Companies[0]
	require.Equal(t, "pro", before.Plan)
	b.text(t, "company", "set-plan", before.CompanyID, "growth")
	now, err := devfile.Read(b.data)
	require.NoError(t, err)
	require.Equal(t, "growth", now.Companies[0].Plan)
	require.Equal(t, 1, b.docqa(t, "company", "set-plan", "cmp_unknown", "pro").code)
	stop()
	e := b.docqa(t, "company", "set-plan", before.CompanyID, "pro")
	require.Equal(t, 1, e.code)
	require.Contains(t, e.errOut, "start `docqa dev`")
	require.Contains(t, b.docqa(t, "project", "list").errOut, "or give --url and --token")

	stop = b.start(t)
	stop()
	require.Equal(t, "growth", b.file.Companies[0].Plan)
	require.Contains(t, b.out, "Example ("+before.CompanyID+", growth)")
	require.Equal(t, before.Projects, b.file.Companies[0].Projects, "nothing is made twice")
}

// TestDev_Ports: it is an error if another program listens on a port that was asked for.
func TestDev_Ports(t *testing.T) {
	t.Parallel()
	busy, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = busy.Close() })
	number := strconv.Itoa(busy.Addr().(*net.TCPAddr).Port)
	b := &bundle{data: dataFolder(t)}
	for _, flag := range []string{"--port", "--smtp-port", "--pg-port"} {
		e := run(t, map[string]string{"PG_BIN": os.Getenv("PG_BIN")}, b.args(t, flag, number)...)
		require.Equal(t, 1, e.code, e.errOut)
		require.Len(t, e.lines(), 1, e.errOut)
		require.Contains(t, e.lines()[0], flag+" "+number+": ")
		require.Contains(t, e.lines()[0], "choose another port, or leave "+flag+" out")
	}
	_, err = devfile.Read(b.data)
	require.Error(t, err)
}

// TestHelp: every command has a help text.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"project create", "project list", "key create", "key list", "key revoke", "ingest", "ask", "dev", "company set-plan"} {
		e := run(t, nil, append(strings.Fields(name), "--help")...)
		require.Zero(t, e.code, name)
		require.Contains(t, e.out, "Usage: docqa "+name, name)
		if name != "dev" {
			require.Contains(t, e.out, "--json", name)
		}
	}
}
