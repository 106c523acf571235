package documents

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/engine/chunk"
	"docqa/internal/idempotency"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

// UploadInput names the file that is going to be uploaded.
type UploadInput struct {
	Filename    string
	ContentType string // decides the format of a name without extension

	IdempotencyKey string // empty: every call reserves
}

// Reservation tells where to PUT a file.
type Reservation struct {
	Document          dbsqlc.Document
	UploadURL         string
	MetadataUploadURL string
	MetadataBody      string
	ExpiresIn         time.Duration
	Instructions      string
	Replayed          bool // an earlier call with the same idempotency key reserved it
}

// ReserveUpload makes a pending document and the addresses that its file is PUT to.
// apperr.Invalid for a bad name or an unsupported format, apperr.Forbidden when the
// plan's storage is used up or the plan does not include the project, apperr.Conflict idempotency_mismatch.
//
// Source: main API section 4.5; docs/decisions.md#uploads.
func (s *Service) ReserveUpload(ctx context.Context, companyID, projectID string, in UploadInput) (Reservation, error) {
	if err := checkName(in.Filename); err != nil {
		return Reservation{}, err
	}
	format, err := s.Formats.Named(in.Filename, in.ContentType)
	if err != nil {
		return Reservation{}, err
	}
	// The key tells nothing: whoever reads the address learns no tenant's id.
	r := Reservation{ExpiresIn: files.UploadWindow, Instructions: "PUT the file to uploadUrl, PUT metadataBody to metadataUploadUrl, then POST confirm and POST sync."}
	key := files.IncomingKey()
	if r.UploadURL, err = s.Objects.PresignPut(ctx, key, files.UploadWindow); err != nil {
		return Reservation{}, err
	}
	if r.MetadataUploadURL, err = s.Objects.PresignPut(ctx, key+files.MetadataSuffix, files.UploadWindow); err != nil {
		return Reservation{}, err
	}
	request := idempotency.Request{
		CompanyID: companyID, Scope: "uploads:" + projectID, Key: in.IdempotencyKey, Body: []string{in.Filename, in.ContentType},
	}
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var replayed bool
		r, replayed, err = idempotency.Once(ctx, tx, s.Once, request, func() (Reservation, error) {
			return s.reserve(ctx, tx, companyID, projectID, r, dbsqlc.DocumentCreateParams{
				Filename: in.Filename, ContentType: files.ContentType(format), Format: string(format), UploadKey: &key,
			})
		})
		r.Replayed = replayed
		return err
	})
	if err != nil {
		return Reservation{}, fmt.Errorf("reserve upload: %w", err)
	}
	return r, nil
}

// reserve makes the pending document of a reservation whose addresses are known.
func (s *Service) reserve(
	ctx context.Context, tx pgx.Tx, companyID, projectID string, r Reservation, row dbsqlc.DocumentCreateParams,
) (Reservation, error) {
	if err := s.checkCapacity(ctx, tx, companyID, projectID); err != nil {
		return r, err
	}
	row.CompanyID, row.ProjectID, row.DocumentID = companyID, projectID, ids.New(ids.Document)
	row.Title, row.SourceType, row.CreatedBy, row.Now = chunk.TitleOf(row.Filename), "upload", creator(ctx), s.Clock.Now()
	var err error
	if r.Document, err = s.q.DocumentCreate(ctx, tx, row); err != nil {
		return r, err
	}
	body, err := json.Marshal(metadata{DocumentID: row.DocumentID, ProjectID: projectID})
	r.MetadataBody = string(body)
	return r, err
}

type metadata struct {
	DocumentID string `json:"documentId"`
	ProjectID  string `json:"projectId"`
}

// checkCapacity fails if the project is archived or not in the plan, or if the plan's storage is
// used up.
func (s *Service) checkCapacity(ctx context.Context, tx pgx.Tx, companyID, projectID string) error {
	project, err := s.q.ProjectGet(ctx, tx, dbsqlc.ProjectGetParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return store.RowError("get project", err)
	}
	if err := writable(project.Status); err != nil {
		return err
	}
	if err := planlimit.CheckProject(ctx, tx, companyID, projectID); err != nil {
		return err
	}
	return planlimit.CheckAnyStorage(ctx, tx, companyID)
}

// checkName checks a file name, but not its format.
//
// Gap: which names are accepted; our choice.
func checkName(filename string) error {
	switch {
	case strings.TrimSpace(filename) == "":
		return apperr.Validation("/filename", "must not be empty")
	case utf8.RuneCountInString(filename) > files.NameCharacters:
		return apperr.Validation("/filename", "must have at most 255 characters")
	case !utf8.ValidString(filename) || strings.ContainsFunc(filename, unicode.IsControl):
		return apperr.Validation("/filename", "must not hold control characters")
	}
	return nil
}

// creator is the signed-in user, nil for other callers.
func creator(ctx context.Context) *string { return column.NullIfEmpty(authn.Must(ctx).UserID) }
