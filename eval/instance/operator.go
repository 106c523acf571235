package instance

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
)

const (
	ownerEmail    = "owner@evaluation.test"
	ownerPassword = "measure-twice-cut-once" // of an installation that lives as long as the measurement
)

// Founded makes an account with a company of its own on the largest plan.
func (i *Instance) Founded(ctx context.Context) error {
	_, err := i.Account(ctx, i.Dev.BaseURL, i.Dev.DatabaseURL)
	return err
}

// Account makes an account, and for it a company on the largest plan at the API at baseURL, which keeps
// its data in database and trusts the instance's sign-in.
func (i *Instance) Account(ctx context.Context, baseURL, database string) (*apiclient.Client, error) {
	if _, err := i.operate(ctx, nil, "user", "add", "--data", i.data, "--email", ownerEmail, "--password", ownerPassword); err != nil {
		return nil, err
	}
	owner, err := i.signIn(ctx, baseURL)
	if err != nil {
		return nil, err
	}
	company, err := owner.CreateCompany(ctx, &mainapi.CompanyCreate{Name: "Evaluation"})
	if err != nil {
		return nil, fmt.Errorf("found the company: %w", apiclient.Explain(err))
	}
	_, err = i.operate(ctx, []string{"DATABASE_URL=" + database}, "company", "set-plan", "--data", i.data, company.CompanyID, "enterprise")
	return owner, err
}

// Owner signs the company's owner in anew.
func (i *Instance) Owner(ctx context.Context) (*apiclient.Client, error) {
	return i.signIn(ctx, i.Dev.BaseURL)
}

func (i *Instance) signIn(ctx context.Context, baseURL string) (*apiclient.Client, error) {
	token, err := i.operate(ctx, nil, "token", "--data", i.data, "--email", ownerEmail, "--password", ownerPassword)
	if err != nil {
		return nil, err
	}
	return apiclient.New(baseURL, apiclient.Credentials{Token: token})
}

// operate runs one of the operator's commands and returns what it printed.
func (i *Instance) operate(ctx context.Context, env []string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, i.binary, args...) //nolint:gosec // the operator names the binary
	command.Env = append(Environment(), env...)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("docqa %s: %w: %s", strings.Join(args[:2], " "), err, strings.TrimSpace(problems.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
