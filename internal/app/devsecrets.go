package app

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

// devSecrets is what can be seen only once, kept over restarts in .data/secrets.json.
type devSecrets struct {
	KeyPepper        string                       `json:"keyPepper"`
	ShareTokenSecret string                       `json:"shareTokenSecret"`
	EncryptionKeyset json.RawMessage              `json:"encryptionKeyset"`
	RagServiceKey    string                       `json:"ragServiceKey"`
	Providers        devfile.Secrets              `json:"providers"`
	Passwords        map[string]string            `json:"passwords"` // by e-mail
	Keys             map[string]map[string]string `json:"keys"`      // by project, by kind
	path             string
}

// loadSecrets reads the secrets in dir and makes those that are missing.
func loadSecrets(dir string) (*devSecrets, error) {
	s := &devSecrets{path: filepath.Join(dir, "secrets.json")}
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
	return s, s.save()
}

func (s *devSecrets) save() error { return devfile.WriteJSON(s.path, s) }

// password returns the kept password of email, a fresh one the first time.
func (s *devSecrets) password(email string) string {
	if s.Passwords[email] == "" {
		s.Passwords[email] = randomSecret()[:16]
	}
	return s.Passwords[email]
}

func randomSecret() string {
	b := make([]byte, 30)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
