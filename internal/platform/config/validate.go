package config

import (
	"crypto/x509"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"docqa/internal/platform/models"
	"docqa/internal/platform/secretbox"
)

const secretCharacters = 32

// validate returns what is wrong, one line for each setting.
func (c *Config) validate() []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if !slices.Contains([]string{EnvironmentDev, EnvironmentStaging, EnvironmentProduction}, c.Environment) {
		add("ENVIRONMENT: must be dev, staging or production")
	}
	required := []struct{ name, value string }{
		{"DATABASE_URL", c.DatabaseURL},
		{"S3_ENDPOINT", c.S3Endpoint},
		{"S3_ACCESS_KEY", c.S3AccessKey},
		{"S3_SECRET_KEY", c.S3SecretKey},
		{"KEY_PEPPER", c.KeyPepper},
	}
	for _, r := range required {
		if r.value == "" {
			add("%s: is required", r.name)
		}
	}
	urls := []struct{ name, value string }{
		{"BASE_URL", c.BaseURL},
		{"S3_ENDPOINT", c.S3Endpoint},
		{"S3_PUBLIC_ENDPOINT", c.S3PublicEndpoint},
		{"IDP_ISSUER", c.IDPIssuer},
	}
	for _, u := range urls {
		if u.value != "" && !isHTTPURL(u.value) {
			add("%s: must be an http or https URL", u.name)
		}
	}
	for _, origin := range c.DashboardOrigins {
		if !isHTTPURL(origin) || strings.HasSuffix(origin, "/") {
			add("DASHBOARD_ORIGINS: %q is not an origin (scheme://host[:port])", origin)
		}
	}
	if u, err := url.Parse(c.DatabaseURL); c.DatabaseURL != "" && !strings.Contains(c.DatabaseURL, "=") && (err != nil || !strings.HasPrefix(u.Scheme, "postgres")) {
		add("DATABASE_URL: must be a postgres:// URL")
	}
	problems = append(problems, c.validateAddresses()...)
	problems = append(problems, c.validateSecrets()...)
	if c.IDPIssuer != "" && c.IDPClientID == "" {
		add("IDP_CLIENT_ID: is required with IDP_ISSUER")
	}
	if c.TrustedProxies < 0 {
		add("TRUSTED_PROXIES: must not be negative")
	}
	if c.RateLimitScale <= 0 {
		add("RATE_LIMIT_SCALE: must be positive")
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel) {
		add("LOG_LEVEL: must be debug, info, warn or error")
	}
	if !slices.Contains([]string{"json", "text"}, c.LogFormat) {
		add("LOG_FORMAT: must be json or text")
	}
	if !slices.Contains([]string{SandboxStrict, SandboxWeak}, c.Sandbox) {
		add("SANDBOX: must be strict or weak")
	}
	problems = append(problems, c.validateModels()...)
	return append(problems, c.validateOutbound()...)
}

// maxThreads bounds EMBEDDINGS_THREADS and RERANKER_THREADS: each may take 100 MB.
const maxThreads = 64

func (c *Config) validateModels() []string {
	var problems []string
	var err error
	if c.EmbeddingModels, err = models.ParseEmbeddings(c.Embeddings); err != nil {
		problems = append(problems, "EMBEDDINGS: "+err.Error())
	}
	if c.EmbeddingsThreads < 1 || c.EmbeddingsThreads > maxThreads {
		problems = append(problems, fmt.Sprintf("EMBEDDINGS_THREADS: must be 1 to %d", maxThreads))
	}
	if c.Reranker != "none" && (!strings.HasPrefix(c.Reranker, "local:") || strings.TrimSpace(c.Reranker) == "local:") {
		problems = append(problems, "RERANKER: must be none or local:<folder>")
	}
	if c.RerankerThreads < 1 || c.RerankerThreads > maxThreads {
		problems = append(problems, fmt.Sprintf("RERANKER_THREADS: must be 1 to %d", maxThreads))
	}
	if c.EmbeddingsLibrary != "" {
		if _, err := os.Stat(c.EmbeddingsLibrary); err != nil {
			problems = append(problems, "EMBEDDINGS_LIBRARY: the file cannot be read")
		}
	}
	return problems
}

func (c *Config) validateAddresses() []string {
	var problems []string
	for _, a := range []struct{ name, value string }{{"ADDR", c.Addr}, {"OPS_ADDR", c.OpsAddr}} {
		if _, _, err := net.SplitHostPort(a.value); a.value != "" && err != nil {
			problems = append(problems, a.name+": must be host:port or :port")
		}
	}
	return problems
}

func (c *Config) validateSecrets() []string {
	var problems []string
	secrets := []struct{ name, value string }{{"KEY_PEPPER", c.KeyPepper}, {"SHARE_TOKEN_SECRET", c.ShareTokenSecret}}
	for _, key := range c.RagServiceKeys {
		secrets = append(secrets, struct{ name, value string }{"RAG_SERVICE_KEYS", key})
	}
	for _, s := range secrets {
		if s.value != "" && len(s.value) < secretCharacters {
			problems = append(problems, fmt.Sprintf("%s: must have at least %d characters", s.name, secretCharacters))
		}
	}
	if !validObjectPrefix(c.RagObjectPrefix) {
		problems = append(problems, "RAG_OBJECT_PREFIX: must be a folder of its own that ends in /, and not one of the service's")
	}
	if _, err := secretbox.New(c.EncryptionKeyset); err != nil {
		problems = append(problems, err.Error())
	}
	for _, e := range c.KeyEnvironments {
		if e != "live" && e != "test" {
			problems = append(problems, fmt.Sprintf("KEY_ENVIRONMENTS: %q is not live or test", e))
		}
	}
	return problems
}

func (c *Config) validateOutbound() []string {
	var problems []string
	for _, cidr := range c.OutboundAllowCIDRs {
		if _, err := netip.ParsePrefix(cidr); err != nil {
			problems = append(problems, fmt.Sprintf("OUTBOUND_ALLOW_CIDRS: %q is not a CIDR", cidr))
		}
	}
	if c.OutboundCAFile != "" {
		if data, err := os.ReadFile(c.OutboundCAFile); err != nil {
			problems = append(problems, "OUTBOUND_CA_FILE: the file cannot be read")
		} else if !x509.NewCertPool().AppendCertsFromPEM(data) {
			problems = append(problems, "OUTBOUND_CA_FILE: the file holds no certificate in PEM")
		}
	}
	return problems
}

// readModels reads the catalog of models and the keys that it names.
func (c *Config) readModels(lookup Lookup) []string {
	var data []byte
	if c.ModelsFile != "" {
		var err error
		if data, err = os.ReadFile(c.ModelsFile); err != nil {
			return []string{"MODELS_FILE: the file cannot be read"}
		}
	}
	catalog, problems := models.Read(data, lookup)
	for i := range problems {
		problems[i] = "MODELS_FILE: " + problems[i]
	}
	if len(problems) == 0 {
		c.Models = catalog
	}
	return problems
}

func isHTTPURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

// validObjectPrefix refuses prefixes of the files that the service stores itself: rag clients
// must never reach those.
func validObjectPrefix(prefix string) bool {
	folder, rest, found := strings.Cut(prefix, "/")
	if !found || !strings.HasSuffix(prefix, "/") || strings.Contains("/"+prefix, "//") || strings.Contains(rest, "..") {
		return false
	}
	return folder != "" && folder != "." && folder != ".." && folder != "documents" && folder != "incoming"
}
