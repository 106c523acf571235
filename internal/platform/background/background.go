package background

import (
	"context"
	"sync"
)

// Wait returns when work has ended, or when ctx ends.
func Wait(ctx context.Context, work *sync.WaitGroup) {
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
