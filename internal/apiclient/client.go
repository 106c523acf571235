package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ogen-go/ogen/ogenerrors"

	"docqa/gen/mainapi"
)

// Credentials are sent with every call. The generated client sends those that the operation
// accepts.
type Credentials struct {
	Key   string // X-Service-Key
	Token string // dashboard JWT
}

// Client calls the API of one installation.
type Client struct {
	*mainapi.Client
	http *http.Client
}

// New returns a client for the API at baseURL.
func New(baseURL string, c Credentials) (*Client, error) {
	h := &http.Client{Timeout: 2 * time.Minute}
	generated, err := mainapi.NewClient(strings.TrimRight(baseURL, "/"), source{c}, mainapi.WithClient(h))
	if err != nil {
		return nil, fmt.Errorf("%s is not an address of the API: %w", baseURL, err)
	}
	return &Client{Client: generated, http: h}, nil
}

// Explain converts an error of the generated client to one with the API's error text.
func Explain(err error) error {
	if api, ok := errors.AsType[*mainapi.ErrorStatusCode](err); ok {
		return fmt.Errorf("the API answered %d: %s", api.StatusCode, api.Response.Error)
	}
	return err
}

type source struct{ c Credentials }

func (s source) DashboardJWT(context.Context, mainapi.OperationName) (mainapi.DashboardJWT, error) {
	if s.c.Token == "" {
		return mainapi.DashboardJWT{}, ogenerrors.ErrSkipClientSecurity
	}
	return mainapi.DashboardJWT{Token: s.c.Token}, nil
}

func (s source) ServiceKey(context.Context, mainapi.OperationName) (mainapi.ServiceKey, error) {
	if s.c.Key == "" {
		return mainapi.ServiceKey{}, ogenerrors.ErrSkipClientSecurity
	}
	return mainapi.ServiceKey{APIKey: s.c.Key}, nil
}

func (source) BearerKey(context.Context, mainapi.OperationName) (mainapi.BearerKey, error) {
	return mainapi.BearerKey{}, ogenerrors.ErrSkipClientSecurity
}

func (source) ShareToken(context.Context, mainapi.OperationName) (mainapi.ShareToken, error) {
	return mainapi.ShareToken{}, ogenerrors.ErrSkipClientSecurity
}

func (source) ShimIDToken(context.Context, mainapi.OperationName) (mainapi.ShimIDToken, error) {
	return mainapi.ShimIDToken{}, ogenerrors.ErrSkipClientSecurity
}

func (source) BillingSignature(context.Context, mainapi.OperationName, *http.Request) error {
	return ogenerrors.ErrSkipClientSecurity
}

func (source) ChatappSignature(context.Context, mainapi.OperationName, *http.Request) error {
	return ogenerrors.ErrSkipClientSecurity
}

func (source) MsgappSignature(context.Context, mainapi.OperationName, *http.Request) error {
	return ogenerrors.ErrSkipClientSecurity
}
