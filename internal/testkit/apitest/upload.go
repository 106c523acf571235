package apitest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Put stores a file at an upload URL, as a client does.
func (e *Env) Put(t *testing.T, uploadURL, content string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, uploadURL, strings.NewReader(content))
	require.NoError(t, err)
	resp, err := e.client.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

// Upload reserves, stores and confirms a file through the API.
func (e *Env) Upload(t *testing.T, as *User, projectID, filename, content string) (documentID string) {
	t.Helper()
	base := "/v1/projects/" + projectID + "/documents"
	reserved := e.Do(t, Call{
		Method: http.MethodPost, Path: base + "/upload-url", As: as, Body: map[string]string{"filename": filename},
	}).Require(t, http.StatusOK)
	e.Put(t, reserved.Text(t, "uploadUrl"), content)
	e.Put(t, reserved.Text(t, "metadataUploadUrl"), reserved.Text(t, "metadataBody"))
	documentID = reserved.Text(t, "documentId")
	e.Do(t, Call{Method: http.MethodPost, Path: base + "/" + documentID + "/confirm", As: as}).Require(t, http.StatusAccepted)
	return documentID
}
