package documents

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/authn"
	"docqa/internal/engine/chunk"
	"docqa/internal/ids"
	"docqa/internal/limits"
)

const (
	incoming       = "incoming/"
	ownPrefix      = "documents/" // the files of all companies
	metadataSuffix = ".metadata.json"
	uploadWindow   = limits.PresignedUploadSeconds * time.Second
)

// UploadInput names the file that is going to be uploaded.
type UploadInput struct {
	Filename    string
	ContentType string // decides the format of a name without extension
}

// Reservation tells where to PUT a file.
type Reservation struct {
	Document          dbsqlc.Document
	UploadURL         string
	MetadataUploadURL string
	MetadataBody      string
	ExpiresIn         time.Duration
	Instructions      string
}

// ReserveUpload makes a pending document and the addresses that its file is PUT to.
// apperr.Invalid for a bad name or an unsupported format, apperr.Forbidden when the
// plan's storage is used up.
//
// Source: main API section 4.5; gaps section 11 for the keys.
func (s *Service) ReserveUpload(ctx context.Context, companyID, projectID string, in UploadInput) (Reservation, error) {
	if err := checkName(in.Filename); err != nil {
		return Reservation{}, err
	}
	format, err := s.Formats.Named(in.Filename, in.ContentType)
	if err != nil {
		return Reservation{}, err
	}
	// The key tells nothing: whoever reads the address learns no tenant's id.
	r := Reservation{ExpiresIn: uploadWindow, Instructions: "PUT the file to uploadUrl, PUT metadataBody to metadataUploadUrl, then POST confirm and POST sync."}
	key := incoming + rand.Text()
	if r.UploadURL, err = s.Objects.PresignPut(ctx, key, uploadWindow); err != nil {
		return Reservation{}, err
	}
	if r.MetadataUploadURL, err = s.Objects.PresignPut(ctx, key+metadataSuffix, uploadWindow); err != nil {
		return Reservation{}, err
	}
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.checkRoom(ctx, tx, companyID, projectID); err != nil {
			return err
		}
		r.Document, err = s.q.DocumentCreate(ctx, tx, dbsqlc.DocumentCreateParams{
			CompanyID: companyID, ProjectID: projectID, DocumentID: ids.New(ids.Document), Filename: in.Filename,
			Title: chunk.TitleOf(in.Filename), ContentType: contentTypeOf(format), Format: string(format), SourceType: "upload",
			UploadKey: &key, CreatedBy: creator(ctx), Now: s.Clock.Now(),
		})
		return err
	})
	if err != nil {
		return Reservation{}, fmt.Errorf("reserve upload: %w", err)
	}
	body, err := json.Marshal(metadata{DocumentID: r.Document.DocumentID, ProjectID: projectID})
	r.MetadataBody = string(body)
	return r, err
}

type metadata struct {
	DocumentID string `json:"documentId"`
	ProjectID  string `json:"projectId"`
}

// checkRoom refuses a project that takes no documents and a plan without storage left.
func (s *Service) checkRoom(ctx context.Context, tx pgx.Tx, companyID, projectID string) error {
	project, err := s.q.ProjectGet(ctx, tx, dbsqlc.ProjectGetParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return notFound("get project", err)
	}
	if err := writable(project.Status); err != nil {
		return err
	}
	company, err := s.q.CompanyGet(ctx, tx, companyID)
	if err != nil {
		return notFound("get company", err)
	}
	used, err := s.q.DocumentStorageUsed(ctx, tx, companyID)
	if err != nil {
		return fmt.Errorf("count storage: %w", err)
	}
	if used >= limits.PlanOf(company.Plan).StorageBytes() {
		return errStorageFull()
	}
	return nil
}

// creator is the signed-in user, nil for other callers.
func creator(ctx context.Context) *string { return given(authn.Must(ctx).UserID) }
