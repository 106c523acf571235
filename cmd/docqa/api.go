package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"docqa/internal/apiclient"
	"docqa/internal/devenv/devclient"
	"docqa/internal/devenv/devfile"
)

// usageError says which flag is missing or wrong. The exit code is 2.
type usageError string

// Error returns the sentence.
func (e usageError) Error() string { return string(e) }

// jsonFlag makes a command print JSON instead of text.
type jsonFlag struct {
	JSON bool `help:"Print JSON: what the API answered."`
}

// apiFlags say where the API is and who calls it. Without them a command calls the running
// docqa dev, as a user of the example company.
type apiFlags struct {
	dataFolder `embed:""`
	jsonFlag   `embed:""`
	URL        string `name:"url" env:"DOCQA_URL" placeholder:"URL" help:"Address of the API; default: the running docqa dev."`
	Token      string `env:"DOCQA_TOKEN" help:"Access token of a user; default: signs in at the running docqa dev."`
	Email      string `help:"Sign in at the running docqa dev as this user; default: one of the example company who has the role."`
}

// projectFlags are the flags of a command that works on one project.
type projectFlags struct {
	apiFlags `embed:""`
	Project  string `env:"DOCQA_PROJECT" placeholder:"ID" help:"Id of the project; default: the example project of the running docqa dev."`
}

// installation returns the address of the API. If that is a running docqa dev, it also returns
// its dev.json.
func (f *apiFlags) installation() (address string, dev *devfile.File, err error) {
	dev, err = f.read()
	switch {
	case f.URL == "" && err != nil:
		return "", nil, fmt.Errorf("%w, or give --url and --token", err)
	case f.URL == "":
		return dev.BaseURL, dev, nil
	case err == nil && strings.TrimRight(f.URL, "/") == dev.BaseURL:
		return f.URL, dev, nil
	}
	// The credentials of docqa dev are not valid at another installation.
	return f.URL, nil, nil
}

// role picks the user of a company that a command signs in as.
type role func(devfile.Company) devfile.User

// signIn returns a client that calls the API as a user. If the API is that of a running docqa
// dev, it also returns its dev.json.
func (f *apiFlags) signIn(e *environment, as role) (*apiclient.Client, *devfile.File, error) {
	address, dev, err := f.installation()
	if err != nil {
		return nil, nil, err
	}
	if f.Token == "" {
		if dev == nil {
			return nil, nil, usageError("--url needs --token (or DOCQA_TOKEN), the access token of a user of that installation")
		}
		if f.Email == "" {
			company, _, err := devclient.Example(dev)
			if err != nil {
				return nil, nil, err
			}
			f.Email = as(company).Email
		}
		if f.Token, _, err = devclient.Token(e.ctx, dev, f.Email, ""); err != nil {
			return nil, nil, err
		}
	}
	api, err := apiclient.New(address, apiclient.Credentials{Token: f.Token})
	return api, dev, err
}

// id returns the project's id: that of the flag, otherwise that of the example project.
func (f *projectFlags) id(dev *devfile.File) (string, error) {
	if f.Project != "" {
		return f.Project, nil
	}
	if dev == nil {
		return "", usageError("--project is missing: docqa project list shows the ids")
	}
	_, project, err := devclient.Example(dev)
	return project.ProjectID, err
}

// open signs in and returns the project's id.
func (f *projectFlags) open(e *environment, as role) (*apiclient.Client, string, error) {
	api, dev, err := f.signIn(e, as)
	if err != nil {
		return nil, "", err
	}
	projectID, err := f.id(dev)
	return api, projectID, err
}

// print prints a command's result: v as JSON if the flag is set, otherwise the line of text.
func (f *jsonFlag) print(e *environment, v any, line string) error {
	if f.JSON {
		return json.NewEncoder(e.out).Encode(v)
	}
	_, err := fmt.Fprintln(e.out, line)
	return err
}

// printJSON prints what the API answered.
func (e *environment) printJSON(answer json.Marshaler) error {
	data, err := answer.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(e.out, string(data))
	return err
}

// printTable prints rows in aligned columns, with the names of the columns first.
func (e *environment) printTable(columns []string, rows [][]string) error {
	w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{columns}, rows...) {
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return w.Flush()
}

// note prints a message for people on standard error. It is not part of the command's result.
func (e *environment) note(format string, args ...any) {
	_, _ = fmt.Fprintf(e.errOut, format+"\n", args...)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
