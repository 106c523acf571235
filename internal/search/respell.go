package search

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
)

// maxLexiconTexts is how many chunks of a project a lexicon is made of. Of a larger project it
// has the words of lexiconRuns runs of neighbouring chunks, so that no more than those are read.
const (
	maxLexiconTexts = 4_000
	lexiconRuns     = 100
)

// respell replaces words of the question that no passage of the project holds by words of the
// project that differ by one or two edits, and searches again. It reports whether it did. A
// question whose words are all known, as almost every one, costs nothing. The first such question
// of a project reads its texts in one more round trip.
func (s *Service) respell(ctx context.Context, companyID, projectID string, q *Query, f found) (found, error) {
	if f.with == nil {
		return f, nil
	}
	suspects := f.unseen(f.question.Suspects(q.Text))
	if len(suspects) == 0 {
		return f, nil
	}
	all, err := s.lexicon(ctx, f.with)
	if err != nil {
		return f, fmt.Errorf("read the words of the project: %w", err)
	}
	text := lexical.Respell(q.Text, suspects, all, f.lexicon())
	if text == q.Text {
		return f, nil
	}
	q.Text = text
	return s.find(ctx, companyID, projectID, q)
}

// unseen returns the suspects that no candidate holds.
func (f *found) unseen(suspects []lexical.Suspect) []lexical.Suspect {
	if len(suspects) == 0 {
		return nil
	}
	seen := make([]bool, len(f.question.Words))
	finder := f.question.Finder()
	for i := range f.rows {
		r := &f.rows[i]
		for _, text := range headText(r) {
			note(seen, finder.Find(text))
		}
		note(seen, finder.Read(r.Body, r.Stems))
	}
	var out []lexical.Suspect
	for _, p := range suspects {
		if !seen[p.Word] {
			out = append(out, p)
		}
	}
	return out
}

// headText returns the texts of a candidate that count beside its body.
func headText(r *dbsqlc.ChunkSearchRow) []string {
	return append([]string{r.Title, r.Context}, r.HeadingPath...)
}

func note(seen []bool, m lexical.Match) {
	for _, hit := range m.Hits {
		seen[hit.Word] = true
	}
}

// lexicon returns the words of the candidates.
func (f *found) lexicon() *lexical.Lexicon {
	x := lexical.NewLexicon()
	for i := range f.rows {
		r := &f.rows[i]
		for _, text := range headText(r) {
			x.Add(text)
		}
		x.Add(r.Body)
	}
	return x
}

// lexicon returns the words of the project, of which the statistics keep one copy.
func (s *Service) lexicon(ctx context.Context, with *stats) (*lexical.Lexicon, error) {
	if x := with.lexicon.Load(); x != nil {
		return x, nil
	}
	runs := int32(1)
	if with.chunks > maxLexiconTexts {
		runs = lexiconRuns
	}
	texts, err := dbsqlc.New().SearchTexts(ctx, s.store.Pool(), dbsqlc.SearchTextsParams{
		CompanyID: with.companyID, ProjectID: with.projectID, Runs: runs, RunLength: maxLexiconTexts / runs, RowLimit: maxLexiconTexts,
	})
	if err != nil {
		return nil, err
	}
	x := lexical.NewLexicon()
	for _, text := range texts {
		x.Add(text)
	}
	with.lexicon.Store(x)
	s.stats.put(with)
	return x, nil
}
