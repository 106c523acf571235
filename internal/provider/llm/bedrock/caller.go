package bedrock

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"docqa/internal/provider/wire"
)

// ErrCredentials says that AWS' chain of credentials found none.
var ErrCredentials = errors.New("get credentials")

// Caller makes requests for any operation of one model. Safe for concurrent use.
type Caller struct {
	o      Options
	url    string
	signer *v4.Signer
}

// NewCaller returns a Caller. It fails if AWS' configuration files are broken.
func NewCaller(ctx context.Context, o Options) (*Caller, error) {
	if o.Key == "" && o.Credentials == nil {
		found, err := config.LoadDefaultConfig(ctx, config.WithRegion(o.Region))
		if err != nil {
			return nil, fmt.Errorf("find credentials for Bedrock: %w", err)
		}
		o.Credentials = found.Credentials
	}
	base := strings.TrimRight(cmp.Or(o.BaseURL, "https://bedrock-runtime."+o.Region+".amazonaws.com"), "/")
	return &Caller{o: o, url: base + "/model/" + escape(o.Model) + "/", signer: v4.NewSigner()}, nil
}

// escape makes one segment of a path out of an ARN, in the form that the signature covers.
func escape(model string) string { return strings.ReplaceAll(url.PathEscape(model), ":", "%3A") }

// Request returns a POST of body as JSON to an operation of the model, signed or with the key.
// It fails with a wire.Error, and with ErrCredentials if there are no credentials.
func (c *Caller) Request(ctx context.Context, operation string, body any) (*http.Request, error) {
	req, data, err := wire.NewRequest(ctx, c.url+operation, body)
	if err != nil {
		return nil, err
	}
	if c.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.o.Key)
		return req, nil
	}
	credentials, err := c.o.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, wire.Broken(fmt.Errorf("%w: %w", ErrCredentials, err))
	}
	sum := sha256.Sum256(data)
	if err := c.signer.SignHTTP(ctx, credentials, req, hex.EncodeToString(sum[:]), "bedrock", c.o.Region, c.o.Clock.Now()); err != nil {
		return nil, fmt.Errorf("sign a request: %w", err)
	}
	return req, nil
}
