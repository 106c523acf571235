package prompttests

import (
	"fmt"
	"regexp"
	"strings"

	"docqa/gen/dbsqlc"
	"docqa/internal/chat"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/measure"
	"docqa/internal/platform/column"
)

// The results of a question.
const (
	verdictPass  = "pass"
	verdictFail  = "fail"
	verdictError = "error"
)

var marker = regexp.MustCompile(`\s?\[\d{1,3}\]`)

// checkAnswer checks an answer by the expectations of the test.
//
// Source: docs/decisions.md#prompt-tests.
func checkAnswer(item *dbsqlc.TestRunItem, preview *chat.PreviewResult) column.TestResult {
	r := column.TestResult{Status: verdictPass, Answer: preview.Text, Sources: preview.Sources, Checks: []column.TestCheck{checkAnswered(preview)}}
	if len(item.RequiredSources) > 0 {
		r.Checks = append(r.Checks, checkSources(item.RequiredSources, preview.Sources))
		r.Ranking = ranking(item.RequiredSources, preview)
	}
	if item.ExpectedAnswer != nil {
		agreement := 0.0
		if preview.Answered() {
			agreement = measure.Agreement(*item.ExpectedAnswer, marker.ReplaceAllString(preview.Text, ""))
		}
		r.Score = &agreement
		r.Checks = append(r.Checks, checkAgreement(agreement))
	}
	for _, c := range r.Checks {
		if !c.Passed {
			r.Status = verdictFail
		}
	}
	return r
}

func checkAnswered(preview *chat.PreviewResult) column.TestCheck {
	c := column.TestCheck{Type: "answered", Passed: preview.Answered(), Detail: "The documents hold an answer."}
	if !c.Passed {
		c.Detail = "No answer was found in the documents."
	}
	return c
}

func checkSources(required []string, cited column.Sources) column.TestCheck {
	count := 0
	for _, title := range required {
		for i := range cited {
			if isNamed(title, cited[i].DocumentTitle, cited[i].Location) {
				count++
				break
			}
		}
	}
	return column.TestCheck{
		Type: "sources_cited", Passed: count == len(required), Detail: fmt.Sprintf("%d of %d required sources cited.", count, len(required)),
	}
}

func checkAgreement(agreement float64) column.TestCheck {
	c := column.TestCheck{Type: "answer_matches", Passed: agreement >= measure.Agrees, Detail: "The answer holds the expected one."}
	if agreement < 1 {
		c.Detail = fmt.Sprintf("The answer agrees with the expected one by %.0f %%.", agreement*100)
	}
	return c
}

// ranking compares the documents that were found, in their order, with the required ones.
func ranking(required []string, preview *chat.PreviewResult) *column.TestRanking {
	found := make([]string, len(preview.Found))
	for i := range preview.Found {
		p := &preview.Found[i]
		found[i] = "document " + p.DocumentID
		for _, title := range required {
			if isNamed(title, p.Title, p.Filename) {
				found[i] = title
				break
			}
		}
	}
	r := measure.Rank(found, required)
	return &column.TestRanking{Precision: r.Precision, Recall: r.Recall, MRR: r.MRR, NDCG: r.NDCG}
}

// isNamed tells whether a required source is the document of this title and file name.
func isNamed(required, title, filename string) bool {
	return strings.EqualFold(required, title) || strings.EqualFold(required, filename) || strings.EqualFold(required, chunk.TitleOf(filename))
}
