package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"docqa/internal/platform/models"
)

// The environments that ENVIRONMENT names.
const (
	EnvironmentDev        = "dev"
	EnvironmentStaging    = "staging"
	EnvironmentProduction = "production"
)

// The values of SANDBOX.
const (
	SandboxStrict = "strict"
	SandboxWeak   = "weak"
)

// Config holds every setting. The tags give the variable, its default and its purpose.
type Config struct {
	Environment string `env:"ENVIRONMENT" envDefault:"production" help:"dev, staging or production"`
	Addr        string `env:"ADDR" envDefault:":8080" help:"address of the API"`
	OpsAddr     string `env:"OPS_ADDR" envDefault:"127.0.0.1:9090" help:"address for operators: health; off: none"`
	BaseURL     string `env:"BASE_URL" envDefault:"http://localhost:8080" help:"the API's public address"`
	LogLevel    string `env:"LOG_LEVEL" envDefault:"info" help:"debug, info, warn or error"`
	LogFormat   string `env:"LOG_FORMAT" envDefault:"json" help:"json or text"`

	DatabaseURL        string `env:"DATABASE_URL" secret:"true" help:"Postgres with pgvector; required"`
	DatabaseMigrateURL string `env:"DATABASE_MIGRATE_URL" secret:"true" help:"the same database as the tables' owner; default DATABASE_URL"`
	DatabaseMaxConns   int32  `env:"DATABASE_MAX_CONNS" envDefault:"16" help:"connections of one process"`
	DatabaseMigrate    bool   `env:"DATABASE_MIGRATE" envDefault:"true" help:"serve and work migrate at start"`

	DashboardOrigins []string `env:"DASHBOARD_ORIGINS" help:"origins of the dashboard, comma separated"`
	DashboardURL     string   `env:"DASHBOARD_URL" help:"address of the dashboard, shown in links"`
	TrustedProxies   int      `env:"TRUSTED_PROXIES" envDefault:"0" help:"proxies in front that append to X-Forwarded-For"`

	IDPProvider     string   `env:"IDP_PROVIDER" envDefault:"idp" help:"stable name of the identity provider; accounts are linked to it"`
	IDPIssuer       string   `env:"IDP_ISSUER" help:"issuer of dashboard tokens; empty: the dashboard API answers 503"`
	IDPClientID     string   `env:"IDP_CLIENT_ID" help:"client id of the dashboard"`
	IDPAudience     string   `env:"IDP_AUDIENCE" help:"accepted audience; default IDP_CLIENT_ID"`
	IDPUserPoolID   string   `env:"IDP_USER_POOL_ID" help:"shown by GET /config"`
	IDPRegion       string   `env:"IDP_REGION" help:"shown by GET /config"`
	IDPDomain       string   `env:"IDP_DOMAIN" help:"hosted sign-in domain prefix, shown by GET /config"`
	IDPRedirectURI  string   `env:"IDP_REDIRECT_URI" help:"dashboard callback, shown by GET /config"`
	SocialProviders []string `env:"SOCIAL_PROVIDERS" help:"enabled social sign-in providers, shown by GET /config"`

	S3Endpoint       string `env:"S3_ENDPOINT" help:"object storage as the service reaches it; required"`
	S3PublicEndpoint string `env:"S3_PUBLIC_ENDPOINT" help:"object storage as clients reach it; default S3_ENDPOINT"`
	S3Region         string `env:"S3_REGION" envDefault:"us-east-1" help:"region"`
	S3Bucket         string `env:"S3_BUCKET" envDefault:"docqa" help:"bucket"`
	S3AccessKey      string `env:"S3_ACCESS_KEY" secret:"true" help:"access key; required"`
	S3SecretKey      string `env:"S3_SECRET_KEY" secret:"true" help:"secret key; required"`

	KeyPepper        string   `env:"KEY_PEPPER" secret:"true" help:"at least 32 characters; API keys are stored as an HMAC under it; required"`
	KeyEnvironments  []string `env:"KEY_ENVIRONMENTS" envDefault:"live,test" help:"key environments that this installation accepts"`
	ShareTokenSecret string   `env:"SHARE_TOKEN_SECRET" secret:"true" help:"at least 32 characters; empty: share answers 503"`
	EncryptionKeyset string   `env:"ENCRYPTION_KEYSET" secret:"true" help:"keyset that encrypts stored tokens"`
	RagServiceKeys   []string `env:"RAG_SERVICE_KEYS" secret:"true" help:"service keys of /v1/rag, at least 32 characters each"`
	RagObjectPrefix  string   `env:"RAG_OBJECT_PREFIX" envDefault:"shared/" help:"where in the bucket objects lie that /v1/rag may ingest by their key"`

	RateLimitScale float64 `env:"RATE_LIMIT_SCALE" envDefault:"1" help:"multiplies every rate, for load tests"`

	OutboundAllowCIDRs []string `env:"OUTBOUND_ALLOW_CIDRS" help:"private networks that outbound calls may reach"`
	OutboundCAFile     string   `env:"OUTBOUND_CA_FILE" help:"private CA for outbound calls, PEM"`

	EnableExtract *bool  `env:"ENABLE_EXTRACT" help:"the Extract API; default on in dev, off elsewhere"`
	ModelsFile    string `env:"MODELS_FILE" help:"YAML file of models that write answers; default: the built-in one alone"`

	Embeddings        string `env:"EMBEDDINGS" envDefault:"none" help:"models that make vectors, the default first: none, local:<folder>, openai:<url>#<model>, bedrock:<region>#<model>; comma separated"`
	EmbeddingsLibrary string `env:"EMBEDDINGS_LIBRARY" help:"ONNX Runtime for local models; default: where make model puts it, or the system's"`
	EmbeddingsThreads int    `env:"EMBEDDINGS_THREADS" envDefault:"1" help:"batches that a local model reads at once"`
	EmbeddingsAPIKey  string `env:"EMBEDDINGS_API_KEY" secret:"true" help:"key of hosted models; empty: none is sent, and requests to Bedrock are signed"`

	Reranker        string `env:"RERANKER" envDefault:"none" help:"cross-encoder that scores passages: none or local:<folder>; ONNX Runtime as for local models"`
	RerankerThreads int    `env:"RERANKER_THREADS" envDefault:"1" help:"batches that it scores at once"`

	Sandbox         string        `env:"SANDBOX" envDefault:"strict" help:"strict or weak: weak starts also where the kernel lets nothing isolate the processes that read files"`
	IngestWorkers   int           `env:"INGEST_WORKERS" envDefault:"0" help:"documents parsed at once; 0: one a core"`
	DrainTime       time.Duration `env:"DRAIN_TIME" envDefault:"2s" help:"how long a stopping process that is not ready any more still takes requests; 0 in docqa dev"`
	ShutdownTimeout time.Duration `env:"SHUTDOWN_TIMEOUT" envDefault:"25s" help:"how long a stop then waits for requests, streams and jobs"`

	// Models is the catalog of MODELS_FILE; nil if that has a problem. It has no variable of its
	// own and comes after all settings.
	Models *models.Catalog `env:"-"`
	// EmbeddingModels holds the models that EMBEDDINGS names; empty for none.
	EmbeddingModels []models.Embedding `env:"-"`
}

// Lookup finds an environment variable, as os.LookupEnv does.
type Lookup func(string) (string, bool)

// Load reads the settings. Each returned problem is one line; the service must not start if
// there is one.
func Load(lookup Lookup) (cfg *Config, problems []string) {
	cfg = &Config{}
	environment := map[string]string{}
	for _, s := range settings() {
		if v, ok := lookup(s.Name); ok && v != "" {
			environment[s.Name] = v
		}
	}
	if err := env.ParseWithOptions(cfg, env.Options{Environment: environment}); err != nil {
		problems = unparsed(err)
	}
	cfg.derive()
	parsed := slices.DeleteFunc(cfg.validate(), func(problem string) bool { // a setting that could not be parsed is reported only once
		name, _, _ := strings.Cut(problem, ":")
		return slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, name+":") })
	})
	problems = append(problems, parsed...)
	return cfg, append(problems, cfg.readModels(lookup)...)
}

// unparsed names the settings whose text is not a value of their type.
func unparsed(err error) []string {
	all, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		return []string{err.Error()}
	}
	problems := make([]string, len(all.Errors))
	for i, e := range all.Errors {
		problems[i] = e.Error()
		if p, ok := errors.AsType[env.ParseError](e); ok {
			if field, ok := reflect.TypeFor[Config]().FieldByName(p.Name); ok {
				problems[i] = field.Tag.Get("env") + ": is no " + kind(p.Type)
			}
		}
	}
	return problems
}

func kind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "duration, such as 25s"
	case t.Kind() == reflect.Float64:
		return "number"
	case t.Kind() == reflect.Bool, t.Kind() == reflect.Pointer:
		return "boolean: true or false"
	}
	return "whole number"
}

func (c *Config) derive() {
	if c.OpsAddr == "off" {
		c.OpsAddr = ""
	}
	if c.DatabaseMigrateURL == "" {
		c.DatabaseMigrateURL = c.DatabaseURL
	}
	if c.S3PublicEndpoint == "" {
		c.S3PublicEndpoint = c.S3Endpoint
	}
	if c.IDPAudience == "" {
		c.IDPAudience = c.IDPClientID
	}
	if c.DashboardURL == "" && len(c.DashboardOrigins) > 0 {
		c.DashboardURL = c.DashboardOrigins[0]
	}
	if c.EnableExtract == nil {
		on := c.Environment == EnvironmentDev
		c.EnableExtract = &on
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
}

// Setting is one line of check-config.
type Setting struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Value   string `json:"value"` // "(set)" for a secret
	Help    string `json:"help"`
}

// Describe lists every setting with its default and, of cfg, its value; secrets are not shown.
func Describe(cfg *Config) []Setting {
	list := settings()
	v := reflect.ValueOf(cfg).Elem()
	for i := range list {
		field := v.Field(i)
		if field.Kind() == reflect.Pointer && !field.IsNil() {
			field = field.Elem()
		}
		list[i].Value = strings.Trim(fmt.Sprint(field.Interface()), "[]")
		if reflect.TypeFor[Config]().Field(i).Tag.Get("secret") == "true" && list[i].Value != "" {
			list[i].Value = "(set)"
		}
	}
	return list
}

func settings() []Setting {
	t := reflect.TypeFor[Config]()
	list := make([]Setting, 0, t.NumField())
	for field := range t.Fields() {
		if name := field.Tag.Get("env"); name != "-" {
			list = append(list, Setting{Name: name, Default: field.Tag.Get("envDefault"), Help: field.Tag.Get("help")})
		}
	}
	return list
}
