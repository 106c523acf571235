package sandbox

import (
	"context"
	"os/exec"
)

// Walls are what this kernel lets a process confine its children with.
type Walls struct {
	Namespaces bool // a user and a network of their own
	Landlock   int  // version that hides files, 0: none
	Filter     bool // of system calls
}

// Strong tells whether children can be kept from the service's files or network besides
// its processes.
func (w Walls) Strong() bool { return w.Filter && (w.Namespaces || w.Landlock > 0) }

// Walls looks, once, what there is.
func (r *Runner) Walls(ctx context.Context) Walls {
	r.probe.Do(func() {
		r.walls = Walls{Namespaces: namespaces(ctx, r.self), Landlock: landlockVersion(), Filter: filterAvailable()}
	})
	return r.walls
}

// namespaces tells whether this process may make user and network namespaces.
func namespaces(ctx context.Context, self string) bool {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), self, "sandbox") // prints its usage
	cmd.SysProcAttr = attributes(true)
	end, err := start(cmd, Walls{}, nil)
	if err != nil {
		return false
	}
	defer end()
	_ = cmd.Wait()
	return true
}
