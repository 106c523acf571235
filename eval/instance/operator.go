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
	ownerPassword = "measure-twice-cut-once" // the installation lives as long as the measurement
)

// CreateCompany makes an account and a company on the largest plan.
func (i *Instance) CreateCompany(ctx context.Context) error {
	_, err := i.Account(ctx, i.Dev.BaseURL, i.Dev.DatabaseURL)
	return err
}

// Account makes an account, and a company on the largest plan for it, at another server. The server has the base URL baseURL, keeps
// its data in database and trusts the sign-in of the instance. The client that is returned is signed in.
func (i *Instance) Account(ctx context.Context, baseURL, database string) (*apiclient.Client, error) {
	if _, err := i.operate(ctx, nil, "user", "add", "--data", i.data(), "--email", ownerEmail, "--password", ownerPassword); err != nil {
		return nil, err
	}
	owner, err := i.signIn(ctx, baseURL)
	if err != nil {
		return nil, err
	}
	company, err := owner.CreateCompany(ctx, &mainapi.CompanyCreate{Name: "Evaluation"})
	if err != nil {
		return nil, fmt.Errorf("create the company: %w", apiclient.Explain(err))
	}
	_, err = i.operate(ctx, []string{"DATABASE_URL=" + database}, "company", "set-plan", "--data", i.data(), company.CompanyID, "enterprise")
	return owner, err
}

// Owner signs in the owner of the company again and returns a client.
func (i *Instance) Owner(ctx context.Context) (*apiclient.Client, error) {
	return i.signIn(ctx, i.Dev.BaseURL)
}

func (i *Instance) signIn(ctx context.Context, baseURL string) (*apiclient.Client, error) {
	token, err := i.operate(ctx, nil, "token", "--data", i.data(), "--email", ownerEmail, "--password", ownerPassword)
	if err != nil {
		return nil, err
	}
	return apiclient.New(baseURL, apiclient.Credentials{Token: token})
}

// operate runs a docqa command and returns its output.
func (i *Instance) operate(ctx context.Context, env []string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, i.binary, args...) //nolint:gosec // the operator names the binary
	command.Env = append(Environment(), env...)
	var out, messages bytes.Buffer
	command.Stdout, command.Stderr = &out, &messages
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("docqa %s: %w: %s", strings.Join(args[:2], " "), err, strings.TrimSpace(messages.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
