package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/devenv/devclient"
)

type ingestCommand struct {
	projectFlags `embed:""`

	RagKey  string   `env:"DOCQA_RAG_KEY" help:"Service key of the installation, for addresses; default: that of the running docqa dev."`
	Sources []string `arg:"" name:"source" help:"Files, and http or https addresses of pages, which the installation reads itself."`
}

// Run uploads files and reads addresses into the project, and waits until they are indexed. It
// fails if the ingestion of one of them fails.
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
	var errs []error
	if len(files) > 0 {
		errs = append(errs, c.ingestFiles(e, files))
	}
	if len(pages) > 0 {
		errs = append(errs, c.ingestPages(e, pages))
	}
	return errors.Join(errs...)
}

// ingestPages lets the installation read the addresses.
func (c *ingestCommand) ingestPages(e *environment, pages []string) error {
	address, dev, err := c.installation()
	if err != nil {
		return err
	}
	projectID, err := c.id(dev)
	if err != nil {
		return err
	}
	if c.RagKey == "" && dev != nil {
		c.RagKey = dev.RagServiceKey
	}
	if c.RagKey == "" {
		return usageError("addresses need --rag-key (or DOCQA_RAG_KEY), a service key of that installation")
	}
	api, err := apiclient.NewServices(address, c.RagKey)
	if err != nil {
		return err
	}
	job, err := api.IngestURLs(e.ctx, projectID, pages)
	if job == nil {
		return err
	}
	if c.JSON {
		if jsonErr := e.printJSON(job); jsonErr != nil {
			return jsonErr
		}
	} else {
		e.note("indexed %d of %d pages", job.Progress.Done, len(pages))
	}
	errs := []error{err}
	for _, fault := range job.Errors {
		errs = append(errs, fmt.Errorf("%s: %s (%s)", fault.DocumentID, fault.Error, fault.Code))
	}
	return errors.Join(errs...)
}

// upload is the state of ingestFiles.
type upload struct {
	*environment

	api       *apiclient.Client
	projectID string
	present   []mainapi.Document // documents of the project before
	wanted    map[string]bool    // documents to wait for
	unchanged []string           // documents that existed with the same content
}

// ingestFiles uploads the files that are not in the project yet.
func (c *ingestCommand) ingestFiles(e *environment, files []string) error {
	api, projectID, err := c.open(e, devclient.Member)
	if err != nil {
		return err
	}
	u := &upload{environment: e, api: api, projectID: projectID, wanted: map[string]bool{}, unchanged: []string{}}
	if u.present, err = api.Documents(e.ctx, projectID); err != nil {
		return err
	}
	var failed []error
	for _, name := range files {
		if err := u.file(name); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	documents, err := u.wait()
	if err != nil {
		return errors.Join(append(failed, err)...)
	}
	if c.JSON {
		answer := map[string]any{"documents": documents, "unchanged": u.unchanged}
		if err := json.NewEncoder(e.out).Encode(answer); err != nil {
			return err
		}
	}
	for i := range documents {
		if fault, ok := documents[i].Error.Get(); ok {
			failed = append(failed, fmt.Errorf("%s: %s (%s)", documents[i].Filename, fault.Message, fault.Code))
		}
		if l, ok := documents[i].LeftOut.Get(); ok && l.Characters > 0 {
			e.note("%s: %s", documents[i].Filename, leftOut(&l))
		}
	}
	return errors.Join(failed...)
}

// leftOut says how much of a document's text is not indexed.
func leftOut(l *mainapi.DocumentLeftOut) string {
	var reasons []string
	for _, r := range l.Reasons {
		reasons = append(reasons, fmt.Sprintf("%s %.1f %%", strings.ReplaceAll(string(r.Reason), "_", " "), 100*r.Share))
	}
	return fmt.Sprintf("%.1f %% of the text is left out (%s)", 100*l.Share, strings.Join(reasons, ", "))
}

// file uploads one file, unless the project has one with this name and content.
func (u *upload) file(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	sum, other := sha256.Sum256(data), ""
	for i := range u.present {
		d := &u.present[i]
		if d.Filename != filepath.Base(name) || d.Status == mainapi.DocumentStatusPending || d.Status == mainapi.DocumentStatusDeleting {
			continue
		}
		if digest, ok := d.SHA256.Get(); !ok || digest != hex.EncodeToString(sum[:]) {
			other = d.DocumentID
			continue
		}
		u.wanted[d.DocumentID] = true
		u.unchanged = append(u.unchanged, d.DocumentID)
		u.note("already there, unchanged: %s is %s (%s)", name, d.DocumentID, d.Status)
		return nil
	}
	id, err := u.api.Upload(u.ctx, u.projectID, filepath.Base(name), data)
	if err != nil {
		return err
	}
	u.wanted[id] = true
	u.note("uploaded %s as %s", name, id)
	if other != "" {
		u.note("  another document of this name stays in the project: %s", other)
	}
	return nil
}

// wait returns the documents when each is indexed or has failed.
func (u *upload) wait() ([]mainapi.Document, error) {
	if len(u.wanted) == 0 {
		return []mainapi.Document{}, nil
	}
	last := -1
	return u.api.WaitFor(u.ctx, u.projectID, apiclient.Wait{
		Documents: func(d *mainapi.Document) bool { return u.wanted[d.DocumentID] },
		Report: func(p apiclient.Progress) {
			if done := p.Indexed + p.Failed; done != last {
				last = done
				u.note("indexing %d/%d", done, p.Total)
			}
		},
	})
}
