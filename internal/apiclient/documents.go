package apiclient

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"time"

	"docqa/gen/mainapi"
)

// Upload uploads one file to a project: reserve, PUT the file, PUT the metadata, confirm. It
// returns the document's id. The next sync ingests the document.
func (c *Client) Upload(ctx context.Context, projectID, name string, data []byte) (string, error) {
	req := &mainapi.UploadReservationRequest{Filename: name}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		req.ContentType = mainapi.NewOptString(t)
	}
	reserved, err := c.ReserveUpload(ctx, req, mainapi.ReserveUploadParams{ProjectID: projectID})
	if err != nil {
		return "", Explain(err)
	}
	if err := c.put(ctx, reserved.UploadURL, data); err != nil {
		return "", err
	}
	if err := c.put(ctx, reserved.MetadataUploadURL, []byte(reserved.MetadataBody)); err != nil {
		return "", err
	}
	_, err = c.ConfirmUpload(ctx, mainapi.ConfirmUploadParams{ProjectID: projectID, DocumentID: reserved.DocumentID})
	return reserved.DocumentID, Explain(err)
}

func (c *Client) put(ctx context.Context, url string, data []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 500))
		return fmt.Errorf("upload: object storage answered %d: %s", resp.StatusCode, body)
	}
	return nil
}

// Documents returns every document of the project, newest first.
func (c *Client) Documents(ctx context.Context, projectID string) ([]mainapi.Document, error) {
	var all []mainapi.Document
	params := mainapi.ListDocumentsParams{ProjectID: projectID, Limit: mainapi.NewOptString("100")}
	for {
		page, err := c.ListDocuments(ctx, params)
		if err != nil {
			return nil, Explain(err)
		}
		all = append(all, page.Documents...)
		next, more := page.NextCursor.Get()
		if !more || next == "" {
			return all, nil
		}
		params.Cursor = mainapi.NewOptString(next)
	}
}

// Progress counts the documents of a project by their states.
type Progress struct {
	Indexed, Failed, Total int
	Vectored               int // how many of the indexed ones have vectors
}

// Wait says what to wait for.
type Wait struct {
	Documents func(*mainapi.Document) bool // which documents; nil: all
	Vectors   bool                         // wait for their vectors, too; the installation must have an embedding model
	Report    func(Progress)               // called about five times a second; may be nil
}

// WaitFor syncs the project and waits until documents are searchable or have failed, and
// returns them.
func (c *Client) WaitFor(ctx context.Context, projectID string, w Wait) ([]mainapi.Document, error) {
	if _, err := c.SyncDocuments(ctx, mainapi.SyncDocumentsParams{ProjectID: projectID}); err != nil {
		return nil, Explain(err)
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		documents, err := c.Documents(ctx, projectID)
		if err != nil {
			return nil, err
		}
		documents = slices.DeleteFunc(documents, func(d mainapi.Document) bool {
			return d.Status == mainapi.DocumentStatusPending || // reserved and never confirmed: no sync will touch it
				w.Documents != nil && !w.Documents(&d)
		})
		p := progressOf(documents)
		if w.Report != nil {
			w.Report(p)
		}
		if p.Indexed+p.Failed == p.Total && (!w.Vectors || p.Vectored == p.Indexed) {
			return documents, nil
		}
		select {
		case <-ctx.Done():
			return documents, fmt.Errorf("wait for the documents: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

func progressOf(documents []mainapi.Document) Progress {
	p := Progress{Total: len(documents)}
	for i := range documents {
		switch documents[i].Status {
		case mainapi.DocumentStatusIndexed:
			p.Indexed++
			if documents[i].Searchable == mainapi.DocumentSearchableWordsAndVectors {
				p.Vectored++
			}
		case mainapi.DocumentStatusFailed:
			p.Failed++
		case mainapi.DocumentStatusPending, mainapi.DocumentStatusUploaded, mainapi.DocumentStatusProcessing, mainapi.DocumentStatusDeleting:
		}
	}
	return p
}
