// Package devfile is the file that `docqa dev` leaves for scripts: where everything
// listens, who can sign in, and the keys of the example projects. It is for
// development alone and holds secrets, so its mode is 0600.
package devfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Name is the file's name below the data folder.
const Name = "dev.json"

// The names of a project's keys in Project.Keys.
const (
	KeyIntegrationLive = "sk_live"
	KeyIntegrationTest = "sk_test"
	KeyEmbedLive       = "embed_live"
	KeyEmbedTest       = "embed_test"
)

// KeyNames returns the names of the keys, in the order in which they are shown.
func KeyNames() []string {
	return []string{KeyIntegrationLive, KeyIntegrationTest, KeyEmbedLive, KeyEmbedTest}
}

// File is the content of dev.json. Members that an unfinished part would fill are absent.
type File struct {
	Version       int       `json:"version"`
	PID           int       `json:"pid"`
	BaseURL       string    `json:"baseUrl"`
	OpsURL        string    `json:"opsUrl"`
	DatabaseURL   string    `json:"databaseUrl"`
	S3            S3        `json:"s3"`
	IDP           IDP       `json:"idp"`
	Mail          Mail      `json:"mail"`
	Companies     []Company `json:"companies"`
	Newcomer      User      `json:"newcomer"`
	RagServiceKey string    `json:"ragServiceKey"`
	Secrets       Secrets   `json:"secrets"`
}

// S3 is the object storage.
type S3 struct {
	Endpoint  string `json:"endpoint"`
	Bucket    string `json:"bucket"`
	AccessKey string `json:"accessKey"`
	SecretKey string `json:"secretKey"`
}

// IDP is the identity provider.
type IDP struct {
	Issuer      string `json:"issuer"`
	ClientID    string `json:"clientId"`
	RedirectURI string `json:"redirectUri"`
}

// Mail is the mail sink.
type Mail struct {
	SMTP string `json:"smtp"`
	Web  string `json:"web"`
}

// Company is an example company.
type Company struct {
	CompanyID string    `json:"companyId"`
	Name      string    `json:"name"`
	Plan      string    `json:"plan"`
	Users     []User    `json:"users"`
	Projects  []Project `json:"projects"`
}

// User can sign in.
type User struct {
	UserID   string `json:"userId,omitempty"`
	Email    string `json:"email"`
	Password string `json:"password"`
	Role     string `json:"role,omitempty"`
}

// Project is an example project with one key of each kind.
type Project struct {
	ProjectID      string            `json:"projectId"`
	Name           string            `json:"name"`
	ShareSlug      string            `json:"shareSlug,omitempty"`
	AllowedOrigins []string          `json:"allowedOrigins"`
	Keys           map[string]string `json:"keys"` // by the names of KeyNames
}

// Secrets are those that outside providers would hold.
type Secrets struct {
	BillingWebhook string `json:"billingWebhook,omitempty"`
	ChatappSigning string `json:"chatappSigning,omitempty"`
	MsgappApp      string `json:"msgappApp,omitempty"`
	MsgappVerify   string `json:"msgappVerify,omitempty"`
}

// Read reads the file in the data folder dir.
func Read(dir string) (*File, error) {
	data, err := os.ReadFile(filepath.Join(dir, Name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there: start `docqa dev` (make run) first", filepath.Join(dir, Name))
	}
	if err != nil {
		return nil, err
	}
	var f File
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, Name), err)
	}
	return &f, nil
}

// Write replaces the file in dir at once, so that no reader sees half of it.
func Write(dir string, f *File) error { return WriteJSON(filepath.Join(dir, Name), f) }

// SetPlan changes the plan of a company in dir's file. It does nothing if the file does not
// name the company.
func SetPlan(dir, companyID, plan string) error {
	f, err := Read(dir)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(f.Companies, func(c Company) bool { return c.CompanyID == companyID })
	if i < 0 {
		return nil
	}
	f.Companies[i].Plan = plan
	return Write(dir, f)
}

// Remove takes the file away; one that is not there is no error.
func Remove(dir string) error {
	err := os.Remove(filepath.Join(dir, Name))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// WriteJSON writes v to path with mode 0600, by a rename.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	temp := path + ".new"
	if err := os.WriteFile(temp, append(data, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
