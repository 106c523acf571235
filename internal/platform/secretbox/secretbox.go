// Package secretbox encrypts secrets of customers: webhook secrets and the tokens of connected
// accounts.
//
// Its invariant: a sealed value can be opened only in the place for which it was sealed, so a
// row that is copied to another tenant, column or record is useless. It makes no keys in
// production; without a keyset, features that need it answer 503 not_configured.
package secretbox

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"

	"docqa/internal/platform/apperr"
)

const setting = "ENCRYPTION_KEYSET"

// Place is where a sealed value is stored.
type Place struct {
	CompanyID string
	Table     string
	Column    string
	RowID     string
}

func (p Place) bytes() []byte {
	return []byte(strings.Join([]string{p.CompanyID, p.Table, p.Column, p.RowID}, "|"))
}

// Box encrypts (seals) and decrypts (opens). Safe for concurrent use.
type Box struct {
	aead tink.AEAD // nil: no keyset is set
}

// New makes a Box from the JSON of a Tink AEAD keyset. The primary key seals; the other keys
// still open. With an empty keyset every call returns 503 not_configured.
func New(keysetJSON string) (*Box, error) {
	if keysetJSON == "" {
		return &Box{}, nil
	}
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(strings.NewReader(keysetJSON)))
	if err != nil {
		return nil, errors.New(setting + ": is not a JSON keyset") // without the cause, which may hold key material
	}
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, errors.New(setting + ": is not a keyset for AEAD")
	}
	return &Box{aead: primitive}, nil
}

// GenerateKeyset returns the JSON of a fresh AES-256-GCM keyset.
func GenerateKeyset() (string, error) {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return "", fmt.Errorf("generate a keyset: %w", err)
	}
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out)); err != nil {
		return "", fmt.Errorf("write the keyset: %w", err)
	}
	return out.String(), nil
}

// Seal encrypts plaintext for place. Error: 503 not_configured.
func (b *Box) Seal(plaintext []byte, place Place) ([]byte, error) {
	if b.aead == nil {
		return nil, apperr.NotConfigured(setting)
	}
	sealed, err := b.aead.Encrypt(plaintext, place.bytes())
	if err != nil {
		return nil, fmt.Errorf("seal %s.%s: %w", place.Table, place.Column, err)
	}
	return sealed, nil
}

// Open decrypts what was sealed for place. Error: 503 not_configured.
func (b *Box) Open(sealed []byte, place Place) ([]byte, error) {
	if b.aead == nil {
		return nil, apperr.NotConfigured(setting)
	}
	plaintext, err := b.aead.Decrypt(sealed, place.bytes())
	if err != nil {
		return nil, fmt.Errorf("open %s.%s: %w", place.Table, place.Column, err)
	}
	return plaintext, nil
}
