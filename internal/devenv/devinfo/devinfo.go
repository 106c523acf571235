// Package devinfo answers GET /dev/info: how to work with a development installation.
package devinfo

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	oas "docqa/gen/mainapi"
	"docqa/gen/openapi"
	"docqa/internal/devenv/example"
	"docqa/internal/platform/config"
)

// Describe returns the answer for the installation that cfg configures. It holds no
// password. It is nil outside of development, where the operation does not exist.
//
// Source: main API section 4.1.
func Describe(cfg *config.Config) (*oas.DevInfo, error) {
	if cfg.Environment != config.EnvironmentDev {
		return nil, nil //nolint:nilnil // absent on purpose
	}
	routes, err := publishedRoutes()
	if err != nil {
		return nil, err
	}
	company := example.Companies()[0]
	member := company.Users[len(company.Users)-1].Email
	return &oas.DevInfo{
		Environment: cfg.Environment, APIURL: cfg.BaseURL, DocsURL: cfg.BaseURL + "/openapi/main.yaml", DashboardURL: cfg.DashboardURL,
		Mcp: oas.DevInfoMcp{
			Credentials: oas.DevInfoCredentials{APIURL: cfg.BaseURL, IdpUserPoolID: cfg.IDPUserPoolID, IdpClientID: cfg.IDPClientID, Email: member},
			TestAccount: oas.DevInfoTestAccount{Email: member, CompanyName: company.Name},
			TestProject: oas.DevInfoTestProject{PurposeID: company.ShareSlug, Name: company.Project},
			AuthModes: []oas.DevInfoAuthMode{
				{Mode: "integration_key", Priority: 1, Env: []string{"DOCQA_KEY"}, Description: oas.NewOptString("Sent as X-Service-Key.")},
				{Mode: "jwt", Priority: 2, Env: []string{"DOCQA_TOKEN"}, Description: oas.NewOptString("Access token of a signed-in member.")},
			},
			LoginSteps: []oas.DevInfoLoginStep{
				{Step: 1, Title: "Start everything", Commands: []string{"make run"}},
				{Step: 2, Title: "Sign in from a terminal", Commands: []string{"bin/docqa token --email " + member}},
			},
			Notes: []string{
				"The passwords are in the data folder's dev.json.",
				"Mail that the service sends arrives at the mail page.",
			},
			EnvExample: oas.DevInfoMcpEnvExample{"DOCQA_URL": cfg.BaseURL, "DOCQA_KEY": "sk_test_...", "DOCQA_TOKEN": "eyJ..."},
		},
		Apis: oas.DevInfoApis{Count: len(routes), Routes: routes},
	}, nil
}

// publishedRoutes lists the operations of the published documents.
func publishedRoutes() ([]oas.DevInfoRoute, error) {
	type published struct {
		Tags     []string              `json:"tags"`
		Security []map[string][]string `json:"security"`
	}
	routes := []oas.DevInfoRoute{}
	for _, name := range []string{"main", "extract", "rag"} {
		data, err := openapi.Files.ReadFile(name + ".json")
		if err != nil {
			return nil, err
		}
		var doc struct {
			Paths map[string]map[string]json.RawMessage `json:"paths"`
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			return nil, fmt.Errorf("the published %s document: %w", name, err)
		}
		for path, item := range doc.Paths {
			for method, raw := range item {
				var op published
				if method == "parameters" || json.Unmarshal(raw, &op) != nil || len(op.Tags) == 0 {
					continue
				}
				routes = append(routes, oas.DevInfoRoute{
					Method: strings.ToUpper(method), Path: path, Auth: authLabel(op.Security), Group: op.Tags[0],
				})
			}
		}
	}
	slices.SortFunc(routes, func(x, y oas.DevInfoRoute) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), strings.Compare(x.Method, y.Method))
	})
	return routes, nil
}

func authLabel(security []map[string][]string) string {
	if len(security) == 0 {
		return "public"
	}
	var labels []string
	for _, alternative := range security {
		for scheme, roles := range alternative {
			labels = append(labels, strings.TrimSpace(scheme+" "+strings.Join(roles, " ")))
		}
	}
	slices.Sort(labels)
	return strings.Join(slices.Compact(labels), ", ")
}
