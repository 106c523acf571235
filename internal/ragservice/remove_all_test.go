package ragservice_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/doctest"
	"docqa/jobs/jobargs"
)

// TestService_RemoveMarked_redacts: deleting all of a project's documents redacts each, in the transaction that removes it.
func TestService_RemoveMarked_redacts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all []string
	for i := range 25 {
		all = append(all, b.Uploaded(t, fmt.Sprintf("secret-%02d.txt", i), doctest.Essay("grinder")).DocumentID)
	}
	jobID, err := b.rag.DeleteAll(b.Ctx(), b.ProjectID())
	require.NoError(t, err)
	require.Empty(t, b.JobsOf(t, "redact_documents"))
	args := jobargs.RemoveDocuments{CompanyID: b.CompanyID, ProjectID: b.ProjectID(), JobID: jobID}
	require.NoError(t, b.rag.RemoveMarked(b.Ctx(), args, b.Attempt().Claim))
	var named []string
	for _, args := range b.JobsOf(t, "redact_documents") {
		named = append(named, doctest.Decode[jobargs.RedactDocuments](t, args).DocumentIDs...)
	}
	require.ElementsMatch(t, all, named)
}
