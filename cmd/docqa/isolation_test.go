package main_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/config"
	"docqa/internal/testkit/sandboxtest"
)

// TestServe_Isolation: the service refuses to start if it cannot isolate the processes that
// read files, unless the operator accepts the risk, or the process reads no files.
func TestServe_Isolation(t *testing.T) {
	t.Parallel()
	// An error of the database, which holds goesOn, means that the check of isolation passed.
	const refusal, goesOn = "SANDBOX: the processes that read files cannot be isolated", "127.0.0.1:1"
	both := []string{sandboxtest.Landlock, sandboxtest.Namespaces}
	// If the machine allows no user namespaces (a chroot, some containers), only Landlock is
	// left.
	withoutLandlock, warning := goesOn, "see the files"
	if !userNamespaces(t) {
		withoutLandlock, warning = refusal, ""
	}
	tests := []struct {
		name    string
		without []string
		set     map[string]string
		args    []string
		want    string
		warns   string
	}{
		{name: "with both", args: []string{"serve"}, want: goesOn},
		{name: "without namespaces", without: both[1:], args: []string{"serve"}, want: goesOn},
		{name: "without Landlock", without: both[:1], args: []string{"serve"}, want: withoutLandlock, warns: warning},
		{name: "without both", without: both, args: []string{"serve"}, want: refusal},
		{name: "without both, jobs alone", without: both, args: []string{"work"}, want: refusal},
		{name: "without both, in staging", without: both, set: map[string]string{"ENVIRONMENT": config.EnvironmentStaging}, args: []string{"serve"}, want: refusal},
		{name: "without both, no jobs", without: both, args: []string{"serve", "--no-jobs"}, want: goesOn},
		{name: "without both, weak", without: both, set: map[string]string{"SANDBOX": config.SandboxWeak}, args: []string{"serve"}, want: goesOn, warns: "not isolated"},
		{name: "without both, in development", without: both, set: map[string]string{"ENVIRONMENT": config.EnvironmentDev}, args: []string{"serve"}, want: goesOn, warns: "not isolated"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			settings := complete()
			maps.Copy(settings, tt.set)
			cmd := command(t, settings, tt.args...)
			if len(tt.without) > 0 {
				self, err := os.Executable()
				require.NoError(t, err)
				cmd.Args = append([]string{self, "without", strings.Join(tt.without, ","), cmd.Path}, tt.args...)
				cmd.Path = self
			}
			var out, errOut bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errOut
			require.Error(t, cmd.Run())
			e := ended{code: cmd.ProcessState.ExitCode(), errOut: errOut.String()}
			require.Len(t, e.lines(), 1, e.errOut)
			require.Contains(t, e.lines()[0], tt.want)
			if tt.want == refusal {
				require.Equal(t, 2, e.code)
			}
			if tt.warns != "" {
				require.Contains(t, e.errOut, tt.warns)
			}
		})
	}
}

// userNamespaces tells whether this machine lets a process make user namespaces.
func userNamespaces(t *testing.T) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
	}
	return cmd.Run() == nil
}
