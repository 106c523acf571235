package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/store"
)

type batch []error

func (b batch) Exec(each func(int, error)) {
	for i, err := range b {
		each(i, err)
	}
}

func TestExecAll(t *testing.T) {
	t.Parallel()
	first, second := errors.New("first"), errors.New("second")
	for name, tt := range map[string]struct {
		batch batch
		want  error
	}{
		"empty":        {batch{}, nil},
		"no failure":   {batch{nil, nil}, nil},
		"one failure":  {batch{nil, first, nil}, first},
		"two failures": {batch{nil, first, second}, first},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, store.ExecAll(tt.batch))
		})
	}
}

func TestRowError(t *testing.T) {
	t.Parallel()
	require.NoError(t, store.RowError("read a key", nil))
	require.Equal(t, apperr.NotFound(), store.RowError("read a key", fmt.Errorf("scan: %w", pgx.ErrNoRows)))

	conflict := apperr.Conflict("taken", "taken")
	require.Equal(t, conflict, store.RowError("read a key", conflict))

	broken := errors.New("broken")
	err := store.RowError("read a key", broken)
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "read a key: broken")
}
