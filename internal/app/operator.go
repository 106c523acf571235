package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"docqa/internal/apiclient"
	"docqa/internal/devenv/devfile"
	"docqa/internal/devenv/idp"
	"docqa/internal/devenv/quickstart"
	"docqa/internal/devenv/signinflow"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/internal/workspace"
)

// SettingsError says that the settings are wrong, a line each.
type SettingsError struct{ Problems []string }

// Error joins the lines.
func (e *SettingsError) Error() string { return strings.Join(e.Problems, "\n") }

// Token signs in at the identity provider of the development in dir by the code flow
// with PKCE, and returns the access token. An empty password is the one that dev.json holds.
func Token(ctx context.Context, dir, email, password string) (token string, expires time.Time, err error) {
	dev, err := devfile.Read(dir)
	if err != nil {
		return "", time.Time{}, err
	}
	if password == "" {
		if password, err = knownPassword(dev, email); err != nil {
			return "", time.Time{}, err
		}
	}
	return signIn(ctx, dev, email, password)
}

func signIn(ctx context.Context, dev *devfile.File, email, password string) (string, time.Time, error) {
	return signinflow.Token(ctx, dev.IDP.Issuer, dev.IDP.ClientID, dev.IDP.RedirectURI, email, password)
}

func knownPassword(dev *devfile.File, email string) (string, error) {
	users := []devfile.User{dev.Newcomer}
	for _, c := range dev.Companies {
		users = append(users, c.Users...)
	}
	for _, u := range users {
		if strings.EqualFold(u.Email, email) {
			return u.Password, nil
		}
	}
	return "", fmt.Errorf("the password of %s is not known here: give --password", email)
}

// UserAdd makes an account at the embedded identity provider. Without a password a fresh one is made.
func UserAdd(ctx context.Context, dir, email, password string) (string, error) {
	dev, err := devfile.Read(dir)
	if err != nil {
		return "", err
	}
	if password == "" {
		password = randomSecret()[:16]
	}
	pool, err := pgxpool.New(ctx, dev.DatabaseURL)
	if err != nil {
		return "", errors.New("the database of the development cannot be reached")
	}
	defer pool.Close()
	provider, err := idp.Open(ctx, pool, idp.Options{Issuer: dev.IDP.Issuer, ClientID: dev.IDP.ClientID, RedirectURIs: []string{dev.IDP.RedirectURI}, Clock: clock.System()})
	if err != nil {
		return "", err
	}
	_, err = provider.AddAccount(ctx, email, password)
	return password, err
}

// SetPlan changes the plan of a company: of the installation that DATABASE_URL names,
// or of the development in dir.
func SetPlan(ctx context.Context, lookup func(string) (string, bool), dir, companyID, plan string) error {
	url, ok := lookup("DATABASE_URL")
	if !ok || url == "" {
		dev, err := devfile.Read(dir)
		if err != nil {
			return err
		}
		url = dev.DatabaseURL
	}
	s, err := store.Open(ctx, url, store.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = workspace.New(s, clock.System()).SetPlan(store.AsCompany(ctx, companyID), companyID, plan)
	if apperr.KindOf(err) == apperr.Missing {
		return fmt.Errorf("there is no company %s", companyID)
	}
	return err
}

// Quickstart does the main job against the running development in dir.
func Quickstart(ctx context.Context, dir, examples string, out io.Writer, terminal bool) error {
	dev, err := devfile.Read(dir)
	if err != nil {
		return err
	}
	return runQuickstart(ctx, dev, os.DirFS(examples), out, terminal)
}

// DevCredentials fills in what is empty from the example company of a running development.
func DevCredentials(ctx context.Context, dir string, dev *devfile.File, wantToken bool, project, token, key *string) error {
	if len(dev.Companies) == 0 || len(dev.Companies[0].Projects) == 0 {
		return errors.New("the running docqa dev has no example project: give --project, --token and --key")
	}
	example := dev.Companies[0]
	if *project == "" {
		*project = example.Projects[0].ProjectID
	}
	for _, p := range example.Projects {
		if *key == "" && p.ProjectID == *project {
			*key = p.Keys[keyIntegrationLive]
		}
	}
	if !wantToken || *token != "" {
		return nil
	}
	var err error
	*token, _, err = Token(ctx, dir, example.Users[len(example.Users)-1].Email, "")
	return err
}

// runQuickstart brings the examples into the first company and asks about them.
func runQuickstart(ctx context.Context, dev *devfile.File, examples fs.FS, out io.Writer, terminal bool) error {
	questions, err := quickstart.ReadQuestions(examples, "questions.json")
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("the folder of the examples holds no questions.json: give it by --examples")
	}
	if err != nil {
		return err
	}
	return bringExamples(ctx, dev, dev.Companies[0], examples, "documents", quickstart.Options{Questions: questions, Out: out, Terminal: terminal})
}

// bringExamples signs in as the company's last user, a plain member where there is one,
// and runs the quickstart in its first project.
func bringExamples(ctx context.Context, dev *devfile.File, company devfile.Company, examples fs.FS, folder string, opts quickstart.Options) error {
	user := company.Users[len(company.Users)-1]
	token, _, err := signIn(ctx, dev, user.Email, user.Password)
	if err != nil {
		return fmt.Errorf("sign in as %s: %w", user.Email, err)
	}
	documents, err := fs.Sub(examples, folder)
	if err != nil {
		return err
	}
	opts.BaseURL, opts.Token, opts.Email, opts.Clock = dev.BaseURL, token, user.Email, clock.System()
	opts.ProjectID, opts.Key = company.Projects[0].ProjectID, company.Projects[0].Keys[keyIntegrationLive]
	opts.Documents = documents
	services, err := apiclient.NewServices(dev.BaseURL, dev.RagServiceKey)
	if err != nil {
		return err
	}
	model, err := services.EmbeddingModel(ctx)
	if err != nil {
		return err
	}
	opts.Vectors = model != ""
	return quickstart.Run(ctx, opts)
}
