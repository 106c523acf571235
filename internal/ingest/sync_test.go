package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/ingest"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/ids"
	"docqa/internal/testkit/doctest"
	"docqa/internal/testkit/factory"
)

func TestService_Sync(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sync := func() ingest.Started {
		got, err := b.Ingest.Sync(b.Ctx(), b.CompanyID, b.ProjectID())
		require.NoError(t, err)
		return got
	}
	require.Equal(t, ingest.Started{}, sync())
	b.Reserved(t, "pending.txt", []byte("hello"))
	require.Equal(t, ingest.Started{}, sync(), "reserved ones are not touched")
	b.Uploaded(t, "a.txt", "hello")
	b.Uploaded(t, "b.txt", "hello")
	got := sync()
	require.Equal(t, 2, got.Documents)
	require.True(t, ids.Valid(ids.Job, got.JobID))
	require.Equal(t, ingest.Started{}, sync(), "a sync during a sync finds nothing")
	require.Len(t, b.JobsOf(t, "ingest_document"), 2, "one job a document")

	_, err := b.Ingest.Sync(b.Ctx(), b.CompanyID, ids.New(ids.Project))
	doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")
	other := factory.NewTenant(t, b.Store, factory.TenantOpts{})
	_, err = b.Ingest.Sync(other.Context(t.Context()), other.CompanyID, b.ProjectID())
	doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")
}
