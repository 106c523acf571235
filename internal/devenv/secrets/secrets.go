// Package secrets is the file in which docqa dev stores secrets that are shown only once, for
// the next start: keys, passwords and the secrets of the installation. Its mode is 0600.
package secrets

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"docqa/internal/devenv/devfile"
	"docqa/internal/platform/secretbox"
)

// File is the content of secrets.json.
type File struct {
	KeyPepper        string                       `json:"keyPepper"`
	ShareTokenSecret string                       `json:"shareTokenSecret"`
	EncryptionKeyset json.RawMessage              `json:"encryptionKeyset"`
	RagServiceKey    string                       `json:"ragServiceKey"`
	Providers        devfile.Secrets              `json:"providers"`
	Passwords        map[string]string            `json:"passwords"` // by e-mail
	Keys             map[string]map[string]string `json:"keys"`      // by project, by kind
	path             string
}

// Load reads secrets.json in the data folder dir and makes the secrets that are missing.
func Load(dir string) (*File, error) {
	s := &File{path: filepath.Join(dir, "secrets.json")}
	data, err := os.ReadFile(s.path)
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is damaged; remove the data folder to start anew: %w", s.path, err)
	}
	for _, secret := range []*string{
		&s.KeyPepper, &s.ShareTokenSecret, &s.RagServiceKey, &s.Providers.BillingWebhook, &s.Providers.ChatappSigning,
		&s.Providers.MsgappApp, &s.Providers.MsgappVerify,
	} {
		if *secret == "" {
			*secret = randomSecret()
		}
	}
	if len(s.EncryptionKeyset) == 0 {
		keyset, err := secretbox.GenerateKeyset()
		if err != nil {
			return nil, err
		}
		s.EncryptionKeyset = json.RawMessage(keyset)
	}
	if s.Passwords == nil {
		s.Passwords = map[string]string{}
	}
	if s.Keys == nil {
		s.Keys = map[string]map[string]string{}
	}
	return s, s.Save()
}

// Save writes the file.
func (s *File) Save() error { return devfile.WriteJSON(s.path, s) }

// Password returns the password of email; the first call makes it.
func (s *File) Password(email string) string {
	if s.Passwords[email] == "" {
		s.Passwords[email] = NewPassword()
	}
	return s.Passwords[email]
}

// NewPassword returns a random password.
func NewPassword() string { return randomSecret()[:16] }

func randomSecret() string {
	b := make([]byte, 30)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
