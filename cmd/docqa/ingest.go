package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/devenv/devfile"
)

type ingestCommand struct {
	apiFlags `embed:""`

	RagKey  string   `env:"DOCQA_RAG_KEY" help:"Service key of the installation, for addresses; default the running docqa dev's."`
	Sources []string `arg:"" name:"source" help:"Files, and http or https addresses of pages, which the installation reads itself."`
}

// Run brings the sources into the project and waits for their index; it fails where one
// of them did.
func (c *ingestCommand) Run(e *environment) error {
	var files, pages []string
	for _, source := range c.Sources {
		if strings.HasPrefix(source, "https://") || strings.HasPrefix(source, "http://") {
			pages = append(pages, source)
			continue
		}
		if _, err := os.Stat(source); err != nil {
			return fmt.Errorf("%s is neither a file nor an address: %w", source, err)
		}
		files = append(files, source)
	}
	if !c.alone(files) {
		if err := c.complete(e, true); err != nil {
			return err
		}
	}
	var errs []error
	if len(files) > 0 {
		errs = append(errs, c.files(e, files))
	}
	if len(pages) > 0 {
		errs = append(errs, c.pages(e, pages))
	}
	return errors.Join(errs...)
}

// alone tells whether pages can be brought with what was given, without a running docqa dev.
func (c *ingestCommand) alone(files []string) bool {
	return len(files) == 0 && c.BaseURL != "" && c.Project != "" && c.RagKey != ""
}

// pages has the installation read the addresses.
func (c *ingestCommand) pages(e *environment, pages []string) error {
	if c.RagKey == "" {
		dev, err := devfile.Read(c.Data)
		if err != nil {
			return fmt.Errorf("addresses need --rag-key: %w", err)
		}
		c.RagKey = dev.RagServiceKey
	}
	api, err := apiclient.NewServices(c.BaseURL, c.RagKey)
	if err != nil {
		return err
	}
	job, err := api.IngestURLs(e.ctx, c.Project, pages)
	if job == nil {
		return err
	}
	if c.JSON {
		data, jsonErr := job.MarshalJSON()
		if jsonErr != nil {
			return jsonErr
		}
		_, _ = fmt.Fprintln(e.out, string(data))
	} else {
		_, _ = fmt.Fprintf(e.errOut, "indexed %d of %d pages\n", job.Progress.Done, len(pages))
	}
	errs := []error{err}
	for _, fault := range job.Errors {
		errs = append(errs, fmt.Errorf("%s: %s (%s)", fault.DocumentID, fault.Error, fault.Code))
	}
	return errors.Join(errs...)
}

// files uploads the files.
func (c *ingestCommand) files(e *environment, files []string) error {
	api, err := apiclient.New(c.BaseURL, apiclient.Credentials{Token: c.Token})
	if err != nil {
		return err
	}
	var failed []error
	uploaded := map[string]bool{}
	for _, name := range files {
		id, err := c.upload(e, api, name)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
			continue
		}
		uploaded[id] = true
	}
	last := -1
	documents, err := api.WaitFor(e.ctx, c.Project, apiclient.Wait{
		Documents: func(d *mainapi.Document) bool { return uploaded[d.DocumentID] },
		Report: func(p apiclient.Progress) {
			if done := p.Indexed + p.Failed; done != last {
				last = done
				_, _ = fmt.Fprintf(e.errOut, "indexing %d/%d\n", done, p.Total)
			}
		},
	})
	if err != nil {
		return err
	}
	if c.JSON {
		if err := json.NewEncoder(e.out).Encode(map[string]any{"documents": documents}); err != nil {
			return err
		}
	}
	for i := range documents {
		if fault, ok := documents[i].Error.Get(); ok {
			failed = append(failed, fmt.Errorf("%s: %s (%s)", documents[i].Filename, fault.Message, fault.Code))
		}
	}
	return errors.Join(failed...)
}

func (c *ingestCommand) upload(e *environment, api *apiclient.Client, name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	id, err := api.Upload(e.ctx, c.Project, filepath.Base(name), data)
	if err != nil {
		return "", err
	}
	_, _ = fmt.Fprintf(e.errOut, "uploaded %s as %s\n", name, id)
	return id, nil
}
