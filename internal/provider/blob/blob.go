package blob

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// ErrNotFound says that there is no object with the key.
var ErrNotFound = errors.New("no such object")

// callTimeout bounds every call that transfers no file through the service.
const callTimeout = 30 * time.Second

// Options say where the bucket is.
type Options struct {
	Endpoint       string // the service reaches the storage at this URL
	PublicEndpoint string // clients reach the storage at this URL, in presigned addresses; default Endpoint
	Region         string // default us-east-1
	Bucket         string
	AccessKey      string
	SecretKey      string
}

// Store is a bucket. Safe for concurrent use.
type Store struct {
	client *minio.Client // the service's calls
	signer *minio.Client // signs addresses for the public endpoint; it sends nothing
	core   minio.Core
	region string
	bucket string
}

// New returns the bucket that opts names. It makes no request.
func New(opts Options) (*Store, error) {
	if opts.Bucket == "" {
		return nil, errors.New("S3_BUCKET is empty")
	}
	if opts.Region == "" {
		opts.Region = "us-east-1"
	}
	if opts.PublicEndpoint == "" {
		opts.PublicEndpoint = opts.Endpoint
	}
	client, err := connect("S3_ENDPOINT", opts.Endpoint, opts)
	if err != nil {
		return nil, err
	}
	signer, err := connect("S3_PUBLIC_ENDPOINT", opts.PublicEndpoint, opts)
	if err != nil {
		return nil, err
	}
	return &Store{client: client, signer: signer, core: minio.Core{Client: client}, region: opts.Region, bucket: opts.Bucket}, nil
}

func connect(setting, endpoint string, opts Options) (*minio.Client, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%s is not an http or https URL", setting)
	}
	if u.Path != "" && u.Path != "/" {
		return nil, fmt.Errorf("%s must not have a path", setting)
	}
	secure := u.Scheme == "https"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	transport.ResponseHeaderTimeout = callTimeout
	client, err := minio.New(u.Host, &minio.Options{
		Creds: credentials.NewStaticV4(opts.AccessKey, opts.SecretKey, ""), Secure: secure, Transport: transport,
		Region: opts.Region, MaxRetries: 3,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return client, nil
}

// IsUnavailable tells whether err says that the storage cannot be reached or has failed
// itself. The same request may succeed later.
func IsUnavailable(err error) bool {
	if _, ok := errors.AsType[*url.Error](err); ok {
		return true
	}
	e, ok := errors.AsType[minio.ErrorResponse](err)
	return ok && e.StatusCode >= http.StatusInternalServerError
}

// translate returns ErrNotFound for a missing object. Other errors get the failed action as a
// prefix.
func translate(doing string, err error) error {
	if err == nil {
		return nil
	}
	e := minio.ToErrorResponse(err)
	if e.Code == minio.NoSuchKey || e.Code == "NotFound" || e.StatusCode == http.StatusNotFound && e.Code != minio.NoSuchBucket {
		return fmt.Errorf("%s: %w", doing, ErrNotFound)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
