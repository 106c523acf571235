package dev

import (
	"os"
	"path/filepath"

	"docqa/internal/devenv/loopback"
	"docqa/internal/platform/config"
)

// model is the embedding model that `make model` installs.
const model = "all-MiniLM-L6-v2"

// lookup returns the settings of the service: those of the environment, else those of the
// embedded parts. port is the API's.
func (d *development) lookup(port int) config.Lookup {
	embedded := map[string]string{
		"DRAIN_TIME":  "0s", // there is no load balancer in front
		"ENVIRONMENT": config.EnvironmentDev, "ADDR": loopback.Addr(port), "BASE_URL": d.file.BaseURL,
		"DATABASE_URL": d.file.DatabaseURL, "DASHBOARD_ORIGINS": d.file.BaseURL, "IDP_PROVIDER": "embedded",
		"IDP_ISSUER": d.file.IDP.Issuer, "IDP_CLIENT_ID": d.file.IDP.ClientID, "IDP_REDIRECT_URI": d.file.IDP.RedirectURI,
		"IDP_USER_POOL_ID": "embedded", "IDP_REGION": "local", "IDP_DOMAIN": d.file.IDP.Issuer,
		"S3_ENDPOINT": d.file.S3.Endpoint, "S3_BUCKET": d.file.S3.Bucket, "S3_ACCESS_KEY": d.file.S3.AccessKey,
		"S3_SECRET_KEY": d.file.S3.SecretKey,
		"KEY_PEPPER":    d.kept.KeyPepper, "SHARE_TOKEN_SECRET": d.kept.ShareTokenSecret,
		"ENCRYPTION_KEYSET": string(d.kept.EncryptionKeyset), "RAG_SERVICE_KEYS": d.kept.RagServiceKey,
	}
	if folder := filepath.Join(d.opts.Data, "models", model); installed(folder) {
		embedded["EMBEDDINGS"] = "local:" + folder
	}
	return func(name string) (string, bool) {
		if v := d.setting(name); v != "" {
			return v, true
		}
		v, ok := embedded[name]
		return v, ok
	}
}

// installed tells whether `make model` has put a model into the folder.
func installed(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "model.onnx"))
	return err == nil
}
