package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// start confines a thread and starts the child from it. The child inherits Landlock, the
// privileges and whatever else belongs to a thread before it runs, and the other threads of
// the service keep theirs. The child is killed when the thread ends: when end is called.
func start(cmd *exec.Cmd, i Isolation, reads []string) (end func(), err error) {
	started, ended := make(chan error), make(chan struct{})
	go onOwnThread(func() {
		err := confineThread(cmd.Dir, reads, i)
		if err == nil {
			err = cmd.Start()
		}
		started <- err
		if err == nil {
			<-ended
		}
	})
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start child: %w", err)
	}
	return func() { close(ended) }, nil
}

// onOwnThread runs f on a thread that ends with f. It is not the main thread, which never
// ends and whose privileges the system shows as those of the process.
func onOwnThread(f func()) {
	runtime.LockOSThread() // unlocked only on the main thread: a thread that is still locked ends with its goroutine
	if unix.Gettid() != os.Getpid() {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		onOwnThread(f)
	}()
	<-done
	runtime.UnlockOSThread()
}

// confineThread removes all capabilities and new privileges from this thread and from what
// it starts, and hides all files except dir and reads.
func confineThread(dir string, reads []string, i Isolation) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	if i.Landlock == 0 {
		return nil
	}
	return hideFiles(dir, reads)
}
