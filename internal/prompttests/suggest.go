package prompttests

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/answer"
	"docqa/internal/platform/ids"
)

// The sources of a test.
const (
	sourceSaved     = "saved"
	sourceSuggested = "suggested"
)

const (
	maxSuggested           = 10
	suggestedByOne         = 3 // of one document
	suggestedFromDocuments = 10
)

// known holds the tests of a project and the headings that tests can be made of.
type known struct {
	saved         []dbsqlc.TestPrompt // newest first
	suggested     []dbsqlc.TestPrompt
	fromDocuments map[string]string // the document of each suggestion by the id of the test, saved and dismissed ones included
}

func (k *known) find(testID string) (dbsqlc.TestPrompt, bool) {
	for _, list := range [][]dbsqlc.TestPrompt{k.saved, k.suggested} {
		if i := slices.IndexFunc(list, func(row dbsqlc.TestPrompt) bool { return row.TestID == testID }); i >= 0 {
			return list[i], true
		}
	}
	return dbsqlc.TestPrompt{}, false
}

// suggester returns the document that suggests the test; nil if somebody has saved the test.
func (k *known) suggester(row *dbsqlc.TestPrompt) *string {
	if row.Source != sourceSuggested {
		return nil
	}
	documentID := k.fromDocuments[row.TestID]
	return &documentID
}

func (s *Service) known(ctx context.Context, db dbsqlc.DBTX, companyID, projectID string) (known, error) {
	k := known{fromDocuments: map[string]string{}}
	q := dbsqlc.New()
	rows, err := q.TestPromptList(ctx, db, dbsqlc.TestPromptListParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return k, fmt.Errorf("list prompt tests: %w", err)
	}
	headings, err := q.TestSuggestionHeadings(ctx, db, dbsqlc.TestSuggestionHeadingsParams{
		CompanyID: companyID, ProjectID: projectID, DocumentLimit: suggestedFromDocuments,
	})
	if err != nil {
		return k, fmt.Errorf("read headings for prompt tests: %w", err)
	}
	stored, asked := map[string]dbsqlc.TestPrompt{}, map[string]bool{}
	for _, row := range rows {
		stored[row.TestID] = row
		if row.Source == sourceSaved {
			k.saved = append(k.saved, row)
			asked[strings.ToLower(row.Prompt)] = true
		}
	}
	for _, s := range suggestions(companyID, projectID, headings) {
		row := s.TestPrompt
		k.fromDocuments[row.TestID] = s.documentID
		was, ok := stored[row.TestID]
		if asked[strings.ToLower(row.Prompt)] || (ok && (was.Dismissed || was.Source == sourceSaved)) {
			continue
		}
		row.LastResult, row.LastRunAt = was.LastResult, was.LastRunAt
		k.suggested = append(k.suggested, row)
	}
	return k, nil
}

// suggestion is a test that a document suggests.
type suggestion struct {
	dbsqlc.TestPrompt
	documentID string
}

// suggestions makes tests of headings, a few of each document. The id of a test depends only on
// the project and the question, so that it is the same the next time.
func suggestions(companyID, projectID string, headings []dbsqlc.TestSuggestionHeadingsRow) []suggestion {
	var out []suggestion
	count, seen := map[string]int{}, map[string]bool{}
	for _, h := range headings {
		prompt, ok := answer.Ask(h.Heading, h.Language == "en")
		if !ok || seen[prompt] || count[h.DocumentID] == suggestedByOne || len(out) == maxSuggested {
			continue
		}
		seen[prompt] = true
		count[h.DocumentID]++
		out = append(out, suggestion{documentID: h.DocumentID, TestPrompt: dbsqlc.TestPrompt{
			CompanyID: companyID, ProjectID: projectID, TestID: ids.Derived(ids.TestPrompt, projectID+"\x00"+prompt), Prompt: prompt,
			RequiredSources: []string{h.Title}, Source: sourceSuggested, CreatedAt: h.ChangedAt, UpdatedAt: h.ChangedAt,
		}})
	}
	return out
}
