package prompttests

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/names"
	"docqa/internal/store"
)

// Input is a question with the expectations of its answer.
type Input struct {
	Prompt          string
	ExpectedAnswer  *string
	RequiredSources []string
}

// Patch holds the members that were sent. The others do not change.
type Patch struct {
	Prompt          *string
	ExpectedAnswer  *string
	ClearExpected   bool // ExpectedAnswer was sent as null
	RequiredSources *[]string
}

// List returns the saved tests, newest first, then the suggested ones.
func (s *Service) List(ctx context.Context, companyID, projectID string) ([]dbsqlc.TestPrompt, error) {
	k, err := s.known(ctx, s.Store.Pool(), companyID, projectID)
	if err != nil {
		return nil, err
	}
	return slices.Concat(k.saved, k.suggested), nil
}

// Create saves a test. Errors: InvalidInput (validation_error, question_too_long), also
// if the project holds maxSaved tests.
func (s *Service) Create(ctx context.Context, project *dbsqlc.Project, in Input) (dbsqlc.TestPrompt, error) {
	row := dbsqlc.TestPrompt{CompanyID: project.CompanyID, ProjectID: project.ProjectID, TestID: ids.New(ids.TestPrompt)}
	return s.save(ctx, project, row, in)
}

// Patch changes a test; a suggested test becomes a saved one. Errors: NotFound, and those of
// Create.
func (s *Service) Patch(ctx context.Context, project *dbsqlc.Project, testID string, p Patch) (dbsqlc.TestPrompt, error) {
	k, err := s.known(ctx, s.Store.Pool(), project.CompanyID, project.ProjectID)
	if err != nil {
		return dbsqlc.TestPrompt{}, err
	}
	row, ok := k.find(testID)
	if !ok {
		return row, apperr.NotFound()
	}
	in := Input{Prompt: row.Prompt, ExpectedAnswer: row.ExpectedAnswer, RequiredSources: row.RequiredSources}
	if p.Prompt != nil {
		in.Prompt = *p.Prompt
	}
	if p.ExpectedAnswer != nil || p.ClearExpected {
		in.ExpectedAnswer = p.ExpectedAnswer
	}
	if p.RequiredSources != nil {
		in.RequiredSources = *p.RequiredSources
	}
	return s.save(ctx, project, row, in)
}

// save stores row as a saved test with the input in. It locks the project, so that two calls
// cannot both store the last test that is allowed.
func (s *Service) save(ctx context.Context, project *dbsqlc.Project, row dbsqlc.TestPrompt, in Input) (saved dbsqlc.TestPrompt, err error) {
	if in, err = clean(project, "", in); err != nil {
		return saved, err
	}
	q := dbsqlc.New()
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := lock(ctx, tx, row.CompanyID, row.ProjectID); err != nil {
			return err
		}
		if err := planlimit.CheckProject(ctx, tx, row.CompanyID, row.ProjectID); err != nil {
			return err
		}
		count, err := q.TestPromptCountSaved(ctx, tx, dbsqlc.TestPromptCountSavedParams{CompanyID: row.CompanyID, ProjectID: row.ProjectID})
		if err != nil {
			return err
		}
		if row.Source != sourceSaved && count >= maxSaved {
			return apperr.Invalid(apperr.CodeValidationError, fmt.Sprintf("the project holds %d prompt tests, which is the most", maxSaved))
		}
		saved, err = q.TestPromptSave(ctx, tx, dbsqlc.TestPromptSaveParams{
			CompanyID: row.CompanyID, ProjectID: row.ProjectID, TestID: row.TestID, Prompt: in.Prompt,
			ExpectedAnswer: in.ExpectedAnswer, RequiredSources: in.RequiredSources, Now: s.Clock.Now(),
		})
		return err
	})
	if err != nil {
		return saved, fmt.Errorf("save a prompt test: %w", err)
	}
	return saved, nil
}

// Delete deletes a test; a suggested one is not suggested again. Error: NotFound.
func (s *Service) Delete(ctx context.Context, companyID, projectID, testID string) error {
	k, err := s.known(ctx, s.Store.Pool(), companyID, projectID)
	if err != nil {
		return err
	}
	if _, ok := k.find(testID); !ok {
		return apperr.NotFound()
	}
	if _, ok := k.fromDocuments[testID]; ok {
		err = dbsqlc.New().TestPromptDismiss(ctx, s.Store.Pool(), dbsqlc.TestPromptDismissParams{
			CompanyID: companyID, ProjectID: projectID, TestID: testID, Now: s.Clock.Now(),
		})
	} else {
		_, err = dbsqlc.New().TestPromptDelete(ctx, s.Store.Pool(), dbsqlc.TestPromptDeleteParams{CompanyID: companyID, ProjectID: projectID, TestID: testID})
	}
	if err != nil {
		return fmt.Errorf("delete a prompt test: %w", err)
	}
	return nil
}

// clean trims and validates a prompt test. path is its place in the request.
func clean(project *dbsqlc.Project, path string, in Input) (Input, error) {
	in.Prompt = strings.TrimSpace(in.Prompt)
	if in.Prompt == "" {
		return in, apperr.Validation(path+"/prompt", "must not be blank")
	}
	if utf8.RuneCountInString(in.Prompt) > project.Settings.Prompt.MaxQuestionLength {
		return in, apperr.Invalid(apperr.CodeQuestionTooLong, "the prompt is longer than a question of this project may be")
	}
	if in.ExpectedAnswer != nil {
		text, err := names.Text(path+"/expectedAnswer", strings.TrimSpace(*in.ExpectedAnswer), expectedLength)
		if err != nil {
			return in, err
		}
		if in.ExpectedAnswer = &text; text == "" {
			in.ExpectedAnswer = nil
		}
	}
	titles := []string{}
	for _, title := range in.RequiredSources {
		title, err := names.Name(path+"/requiredSources", title, titleLength)
		if err != nil {
			return in, err
		}
		if !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	if len(titles) > maxSources {
		return in, apperr.Validation(path+"/requiredSources", fmt.Sprintf("must not name more than %d", maxSources))
	}
	in.RequiredSources = titles
	return in, nil
}

func lock(ctx context.Context, tx pgx.Tx, companyID, projectID string) error {
	_, err := dbsqlc.New().ProjectLock(ctx, tx, dbsqlc.ProjectLockParams{CompanyID: companyID, ProjectID: projectID})
	if store.IsNoRows(err) {
		return apperr.NotFound()
	}
	return err
}
