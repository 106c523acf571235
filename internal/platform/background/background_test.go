package background_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/background"
)

func TestWait(t *testing.T) {
	t.Parallel()
	var work sync.WaitGroup
	end, finished := make(chan struct{}), false
	work.Go(func() { <-end; finished = true })
	over, cancel := context.WithCancel(t.Context())
	cancel()
	background.Wait(over, &work) // the context has ended, so this returns although the work goes on
	close(end)
	background.Wait(t.Context(), &work)
	require.True(t, finished)
}
