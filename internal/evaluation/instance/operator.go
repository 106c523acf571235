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
	ownerPassword = "measure-twice-cut-once" //nolint:gosec // of an installation that lives as long as the measurement
)

// Founded makes an account with a company of its own on the largest plan and returns the company's id.
func (i *Instance) Founded(ctx context.Context) (string, error) {
	if _, err := i.operate(ctx, "user", "add", "--data", i.data, "--email", ownerEmail, "--password", ownerPassword); err != nil {
		return "", err
	}
	owner, err := i.Owner(ctx)
	if err != nil {
		return "", err
	}
	company, err := owner.CreateCompany(ctx, &mainapi.CompanyCreate{Name: "Evaluation"})
	if err != nil {
		return "", fmt.Errorf("found the company: %w", apiclient.Explain(err))
	}
	_, err = i.operate(ctx, "company", "set-plan", "--data", i.data, company.CompanyID, "enterprise")
	return company.CompanyID, err
}

// Owner signs the company's owner in anew.
func (i *Instance) Owner(ctx context.Context) (*apiclient.Client, error) {
	token, err := i.operate(ctx, "token", "--data", i.data, "--email", ownerEmail, "--password", ownerPassword)
	if err != nil {
		return nil, err
	}
	return apiclient.New(i.Dev.BaseURL, apiclient.Credentials{Token: token})
}

// operate runs one of the operator's commands and returns what it printed.
func (i *Instance) operate(ctx context.Context, args ...string) (string, error) {
	command := exec.CommandContext(ctx, i.binary, args...) //nolint:gosec // the operator names the binary
	command.Env = environment()
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("docqa %s: %w: %s", strings.Join(args[:2], " "), err, strings.TrimSpace(problems.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
