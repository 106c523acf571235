package sandbox

import (
	"context"
	"os/exec"
)

// Isolation says what this kernel offers to confine child processes.
type Isolation struct {
	Namespaces bool // children can have their own user and network namespace
	Landlock   int  // version of Landlock, which hides files; 0: none
	Filter     bool // of system calls
}

// Strong tells whether children can be kept from the service's processes, and from its
// files or its network.
func (i Isolation) Strong() bool { return i.Filter && (i.Namespaces || i.Landlock > 0) }

// Isolation returns what this kernel offers. It asks the kernel only once.
func (r *Runner) Isolation(ctx context.Context) Isolation {
	r.probe.Do(func() {
		r.isolation = Isolation{Namespaces: namespaces(ctx, r.self), Landlock: landlockVersion(), Filter: filterAvailable()}
	})
	return r.isolation
}

// namespaces tells whether this process may make user and network namespaces.
func namespaces(ctx context.Context, self string) bool {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), self, "sandbox") // prints its usage
	cmd.SysProcAttr = attributes(true)
	end, err := start(cmd, Isolation{}, nil)
	if err != nil {
		return false
	}
	defer end()
	_ = cmd.Wait()
	return true
}
