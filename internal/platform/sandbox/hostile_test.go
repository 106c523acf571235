package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"docqa/internal/platform/sandbox"
	"docqa/internal/testkit/sandboxtest"
)

// victim holds what a hostile child tries to reach of the service.
type victim struct {
	PID    int
	Folder string // holds the file "secret"
	TCP    string
	UDP    string
	Unix   string
}

// attack is one attempt of a hostile child. It returns nil if it succeeded.
type attack struct {
	name string
	try  func(v victim) error
}

const (
	readSystem, readSecret, listFolder, writeBeside = "read a file of the system", "read a file of the service", "list a folder of the service", "write beside a file of the service"
	readEnvironment, readMemory                     = "read the environment of the service", "read the memory of the service"
)

func attacks() []attack {
	proc := func(v victim, name string) error {
		f, err := os.Open(filepath.Join("/proc", strconv.Itoa(v.PID), name))
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		_, err = f.ReadAt(make([]byte, 1), 0)
		if name == "mem" && errors.Is(err, unix.EIO) { // nothing is mapped at 0: it was opened for reading
			return nil
		}
		return err
	}
	return []attack{
		{readSystem, func(victim) error { _, err := os.ReadFile("/etc/passwd"); return err }},
		{readSecret, func(v victim) error { _, err := os.ReadFile(filepath.Join(v.Folder, "secret")); return err }},
		{listFolder, func(v victim) error { _, err := os.ReadDir(v.Folder); return err }},
		{writeBeside, func(v victim) error { return os.WriteFile(filepath.Join(v.Folder, "planted"), nil, 0o600) }},
		{"change a file's mode", func(v victim) error { return os.Chmod(filepath.Join(v.Folder, "secret"), 0o644) }},
		{"empty a file", func(v victim) error { return os.Truncate(filepath.Join(v.Folder, "secret"), 0) }},
		{"signal the service", func(v victim) error { return unix.Kill(v.PID, 0) }},
		{"signal every process", func(victim) error { return unix.Kill(-1, 0) }},
		{"signal by way of a file", func(v victim) error {
			var ends [2]int
			if err := unix.Pipe(ends[:]); err != nil {
				return err
			}
			_, err := unix.FcntlInt(uintptr(ends[0]), unix.F_SETOWN, v.PID)
			return err
		}},
		{readEnvironment, func(v victim) error { return proc(v, "environ") }},
		{readMemory, func(v victim) error { return proc(v, "mem") }},
		{"copy the memory of the service", func(v victim) error {
			// Address 1 is never mapped: EFAULT means that the attempt was allowed.
			_, err := unix.ProcessVMReadv(v.PID, []unix.Iovec{{Base: new(byte), Len: 1}}, []unix.RemoteIovec{{Base: 1, Len: 1}}, 0)
			if errors.Is(err, unix.EFAULT) {
				return nil
			}
			return err
		}},
		{"change the service's limits", func(v victim) error {
			var was unix.Rlimit
			if err := unix.Prlimit(v.PID, unix.RLIMIT_CORE, nil, &was); err != nil {
				return err
			}
			return unix.Prlimit(v.PID, unix.RLIMIT_CORE, &was, nil)
		}},
		{"slow the service down", func(v victim) error { return unix.Setpriority(unix.PRIO_PROCESS, v.PID, 1) }},
		{"connect to a listener", func(v victim) error { return dial("tcp", v.TCP) }},
		{"send a datagram", func(v victim) error { return dial("udp", v.UDP) }},
		{"connect to a socket in the file system", func(v victim) error { return dial("unix", v.Unix) }},
		{"leave the group", func(victim) error { _, err := unix.Setsid(); return err }},
		{"make shared memory", func(victim) error { _, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, 0o600); return err }},
		{"start a program", func(victim) error { return exec.CommandContext(context.Background(), "/bin/true").Run() }},
	}
}

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, time.Minute)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	_, err = c.Write([]byte("x"))
	return err
}

// attackAll makes all attacks and prints those that succeeded, one on each line.
func attackAll(encoded string, out io.Writer) int {
	var v victim
	if err := json.Unmarshal([]byte(encoded), &v); err != nil {
		return 97
	}
	for _, a := range attacks() {
		if err := a.try(v); err == nil {
			_, _ = fmt.Fprintln(out, a.name)
		}
	}
	return 0
}

// host is a service in a process of its own. args say whether it is "shielded", which features
// the kernel refuses to it, or "unconfined". It runs a hostile child and prints the attacks
// that succeeded.
func host(args []string) error {
	var without []string
	for _, a := range args {
		if a == sandboxtest.Landlock || a == sandboxtest.Namespaces {
			without = append(without, a)
		}
	}
	if err := sandboxtest.Without(without...); err != nil {
		return err
	}
	// Some systems forbid children to trace their parents. Allow it, so that only the sandbox can
	// prevent it.
	_ = unix.Prctl(unix.PR_SET_PTRACER, ^uintptr(0), 0, 0, 0)
	if slices.Contains(args, "shielded") {
		if err := sandbox.Shield(); err != nil {
			return err
		}
	}
	folder, err := os.MkdirTemp("", "victim-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	v, err := newVictim(folder)
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(v)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if slices.Contains(args, "unconfined") {
		cmd := exec.CommandContext(context.Background(), self, "attack-unconfined", string(encoded))
		cmd.Stdout = os.Stdout
		return cmd.Run()
	}
	return sandbox.New(self, folder).Run(context.Background(), sandbox.Cmd{Args: []string{"attack", string(encoded)}}, func(out io.Reader) error {
		_, err := io.Copy(os.Stdout, out)
		return err
	})
}

func newVictim(folder string) (victim, error) {
	v := victim{PID: os.Getpid(), Folder: folder, Unix: filepath.Join(folder, "s")}
	if err := os.WriteFile(filepath.Join(folder, "secret"), []byte("hidden"), 0o600); err != nil {
		return v, err
	}
	var lc net.ListenConfig
	tcp, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return v, err
	}
	udp, err := lc.ListenPacket(context.Background(), "udp", "127.0.0.1:0")
	if err != nil {
		return v, err
	}
	if _, err = lc.Listen(context.Background(), "unix", v.Unix); err != nil {
		return v, err
	}
	v.TCP, v.UDP = tcp.Addr().String(), udp.LocalAddr().String()
	return v, nil
}

// TestRunner_Run_hostile lets a child try what a compromised parser would try, on each kind of
// system on which a service may run.
func TestRunner_Run_hostile(t *testing.T) {
	t.Parallel()
	every := make([]string, 0, len(attacks()))
	for _, a := range attacks() {
		every = append(every, a.name)
	}
	files := []string{readSystem, readSecret, listFolder, writeBeside}
	r, _ := newRunner(t)
	hidden := []string{}
	if r.Isolation(t.Context()).Landlock == 0 {
		t.Log("this kernel has no Landlock: children see its files")
		hidden = files
	}
	// A machine without user namespaces (a chroot, some containers) tests what an operator
	// gets there. Without Landlock too, only the service's own shield protects its memory.
	withoutLandlock := []string{sandboxtest.Landlock}
	if !r.Isolation(t.Context()).Namespaces {
		t.Log("this machine allows no user namespaces")
		withoutLandlock = append(withoutLandlock, "shielded")
	}
	tests := []struct {
		name string
		args []string
		can  []string // attacks that succeed all the same
	}{
		{name: "attacks succeed without confinement", args: []string{"unconfined"}, can: every},
		{name: "nothing with everything there", args: nil, can: hidden},
		{name: "nothing without namespaces", args: []string{sandboxtest.Namespaces}, can: hidden},
		{name: "files alone without Landlock", args: withoutLandlock, can: files},
		{name: "files alone without both", args: []string{sandboxtest.Landlock, sandboxtest.Namespaces, "shielded"}, can: files},
	}
	for _, user := range users() {
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s, as user %d", tt.name, user), func(t *testing.T) {
				t.Parallel()
				cmd := asUser(t, user, append([]string{"host"}, tt.args...))
				var out, errOut bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errOut
				require.NoError(t, cmd.Run(), errOut.String())
				got := strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
				require.ElementsMatch(t, tt.can, got)
			})
		}
	}
}

// users are the user of this test and, besides root, one without any rights.
func users() []uint32 {
	if os.Getuid() == 0 {
		return []uint32{0, 65534}
	}
	return []uint32{uint32(os.Getuid())}
}

// asUser returns a command that runs this test binary as user, in a folder that only that user
// can write to.
func asUser(t *testing.T, user uint32, args []string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir = t.TempDir()
	if int(user) == os.Getuid() {
		return cmd
	}
	cmd.Dir, err = os.MkdirTemp("", "docqa-user-") //nolint:usetesting // t.TempDir lies in a folder that other users cannot enter
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(cmd.Dir) })
	cmd.Path = filepath.Join(cmd.Dir, "program")
	program, err := os.ReadFile(self)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cmd.Path, program, 0o755))
	require.NoError(t, os.Chown(cmd.Dir, int(user), int(user)))
	cmd.Args[0], cmd.Env = cmd.Path, append(os.Environ(), "TMPDIR="+cmd.Dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	return cmd
}
