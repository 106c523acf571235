package edge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"strings"

	"docqa/gen/openapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
)

// document is one file of the published contract.
type document struct {
	contentType string
	body        []byte
	etag        string
}

// newDocuments returns the files of the published contract by path.
//
// Source: docs/decisions.md#versions-of-the-api.
func newDocuments() (map[string]document, error) {
	entries, err := openapi.Files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("read the published contract: %w", err)
	}
	documents := map[string]document{}
	for _, e := range entries {
		body, err := openapi.Files.ReadFile(e.Name())
		if err != nil {
			return nil, fmt.Errorf("read the published contract: %w", err)
		}
		kind := "application/json"
		if path.Ext(e.Name()) == ".yaml" {
			kind = "application/yaml"
		}
		sum := sha256.Sum256(body)
		documents["/openapi/"+e.Name()] = document{kind, body, `"` + hex.EncodeToString(sum[:8]) + `"`}
	}
	documents["/v1/openapi.json"] = documents["/openapi/main.json"]
	documents["/v1/extract/openapi.json"] = documents["/openapi/extract.json"]
	documents["/v1/rag/openapi.json"] = documents["/openapi/rag.json"]
	return documents, nil
}

func (e *server) serveDocument(w http.ResponseWriter, r *http.Request, doc document) {
	const allow = "GET, HEAD, OPTIONS"
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*") // everyone gets the same public file
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		h.Set("Allow", allow)
		h.Set("Access-Control-Allow-Methods", allow)
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		e.Errors.Write(w, r, apperr.MethodNotAllowed(allow, "this path does not know the method"))
		return
	}
	if err := e.Limits.publicRead(r.Context(), limits.RatePublicRead, ipBucket(infoFrom(r.Context()).ip)); err != nil {
		e.Errors.Write(w, r, err)
		return
	}
	h.Set("ETag", doc.etag)
	h.Set("Cache-Control", cachePublic+", max-age=300")
	if strings.Contains(r.Header.Get("If-None-Match"), doc.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", doc.contentType)
	_, _ = w.Write(doc.body)
}
