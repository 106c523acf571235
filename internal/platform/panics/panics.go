package panics

import (
	"fmt"
	"runtime/debug"
)

// Catch calls f and returns its error. If f panics, the error holds the panic with its stack.
func Catch(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
