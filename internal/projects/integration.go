package projects

import (
	"context"
	"embed"
	"fmt"
	"html"
	"strings"

	"docqa/gen/dbsqlc"
	"docqa/internal/store"
)

// authHeader is the header that takes an integration key.
const authHeader = "X-Service-Key"

//go:embed samples
var samples embed.FS

// Integration says how a project is called. No secret is in it.
type Integration struct {
	Endpoint       string
	StreamEndpoint string
	AuthHeader     string
	KeyPrefix      *string // of the integration key in use; nil where there is none
	EmbedSnippet   string
	Curl           string // complete programs that ask a question; they read the key from the variable KEY
	JavaScript     string
	Python         string
	Go             string
	DocsURL        string
}

// Integration returns how the project is called.
//
// Source: main API section 4.9; docs/decisions.md#integration-page.
func (s *Service) Integration(ctx context.Context, companyID, projectID string) (Integration, error) {
	i := Integration{
		Endpoint: s.BaseURL + "/v1/chat", StreamEndpoint: s.BaseURL + "/v1/chat/stream", AuthHeader: authHeader,
		EmbedSnippet: fmt.Sprintf(`<script src="%s" data-project-id="%s" async></script>`,
			html.EscapeString(s.BaseURL+"/widget.js"), html.EscapeString(projectID)),
		DocsURL: s.BaseURL + "/openapi/main.yaml",
	}
	prefix, err := dbsqlc.New().KeyPrefixInUse(ctx, s.Store.Pool(), dbsqlc.KeyPrefixInUseParams{
		CompanyID: companyID, ProjectID: projectID, Now: s.Clock.Now(),
	})
	switch {
	case err == nil:
		i.KeyPrefix = &prefix
	case !store.IsNoRows(err):
		return i, fmt.Errorf("read the key in use: %w", err)
	}
	for name, into := range map[string]*string{"curl.sh": &i.Curl, "javascript.mjs": &i.JavaScript, "python.py": &i.Python, "go.txt": &i.Go} {
		text, err := samples.ReadFile("samples/" + name)
		if err != nil {
			return i, fmt.Errorf("read a sample: %w", err)
		}
		*into = strings.NewReplacer("ENDPOINT", i.Endpoint, "AUTH_HEADER", authHeader).Replace(string(text))
	}
	return i, nil
}
