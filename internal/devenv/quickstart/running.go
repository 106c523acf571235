package quickstart

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"docqa/internal/apiclient"
	"docqa/internal/devenv/devclient"
	"docqa/internal/devenv/devfile"
	"docqa/internal/platform/clock"
)

// MainJob runs the quickstart in the first example company of a running docqa dev. examples
// holds questions.json and the folder documents. terminal says whether out is a terminal.
func MainJob(ctx context.Context, dev *devfile.File, examples fs.FS, out io.Writer, terminal bool) error {
	company, _, err := devclient.Example(dev)
	if err != nil {
		return err
	}
	questions, err := ReadQuestions(examples, "questions.json")
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("the folder of the examples has no questions.json: name the folder by --examples")
	}
	if err != nil {
		return err
	}
	opts, err := optionsFor(ctx, dev, company, examples, "documents")
	if err != nil {
		return err
	}
	opts.Questions, opts.Out, opts.Terminal = questions, out, terminal
	return Run(ctx, opts)
}

// Ingest brings the documents of a folder of examples into the company's project, without
// output and without questions.
func Ingest(ctx context.Context, dev *devfile.File, company devfile.Company, examples fs.FS, folder string) error {
	opts, err := optionsFor(ctx, dev, company, examples, folder)
	if err != nil {
		return err
	}
	return Run(ctx, opts)
}

// optionsFor signs in as the company's member with the fewest rights.
func optionsFor(ctx context.Context, dev *devfile.File, company devfile.Company, examples fs.FS, folder string) (Options, error) {
	documents, err := fs.Sub(examples, folder)
	if err != nil {
		return Options{}, err
	}
	user := devclient.Member(company)
	token, _, err := devclient.Token(ctx, dev, user.Email, user.Password)
	if err != nil {
		return Options{}, err
	}
	services, err := apiclient.NewServices(dev.BaseURL, dev.RagServiceKey)
	if err != nil {
		return Options{}, err
	}
	model, err := services.EmbeddingModel(ctx)
	if err != nil {
		return Options{}, err
	}
	project := company.Projects[0]
	return Options{
		BaseURL: dev.BaseURL, Token: token, Email: user.Email, ProjectID: project.ProjectID,
		Key: project.Keys[devfile.KeyIntegrationLive], Documents: documents, Vectors: model != "",
		Out: io.Discard, Clock: clock.System(),
	}, nil
}
