package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// start starts a child from a thread that is confined first: Landlock, privileges and
// what else belongs to threads pass to the child before it runs at all, and no other
// thread of the service is touched. The child is killed when the thread ends, which is
// when the returned function is called.
func start(cmd *exec.Cmd, w Walls, reads []string) (end func(), err error) {
	started, ended := make(chan error), make(chan struct{})
	go onOwnThread(func() {
		err := confineThread(cmd.Dir, reads, w)
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

// onOwnThread runs f on a thread that ends with it and is not the main one: that never
// ends, and what the system shows of the process is what the main thread has.
func onOwnThread(f func()) {
	runtime.LockOSThread() // never unlocked, but on the main thread: so the thread ends
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

// confineThread takes from this thread, and from what it starts, all capabilities, new
// privileges, and the files but for dir and reads.
func confineThread(dir string, reads []string, w Walls) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	if w.Landlock == 0 {
		return nil
	}
	return hideFiles(dir, reads)
}
