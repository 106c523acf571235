package panics

import (
	"fmt"
	"runtime/debug"
)

// Catch calls f and returns its error, or the panic of f with its stack.
func Catch(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
