package edge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	ht "github.com/ogen-go/ogen/http"
	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/openapi"
	"github.com/ogen-go/ogen/validate"
	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
)

var errAway = errors.New("connection refused")

func newClassifier() Classifier {
	return Classifier{unavailable: func(err error) bool { return errors.Is(err, errAway) }}
}

func TestClassify(t *testing.T) {
	t.Parallel()
	param := func(in openapi.ParameterLocation) error {
		return &ogenerrors.DecodeParamsError{Err: &ogenerrors.DecodeParamError{Name: "limit", In: in, Err: &validate.MaxLengthError{Len: 9, MaxLength: 3}}}
	}
	body := func(err error) error { return &ogenerrors.DecodeRequestError{Err: err} }
	for name, test := range map[string]struct {
		err    error
		status int
		code   string
	}{
		"our own":                       {fmt.Errorf("archive: %w", apperr.Conflict(apperr.CodeLastAdmin, "x")), 409, "last_admin"},
		"our own in a security error":   {&ogenerrors.SecurityError{Err: apperr.Forbidden(apperr.CodeRoleRequired, "x")}, 403, "role_required"},
		"our own in a decode error":     {body(apperr.Invalid(apperr.CodeInvalidJSON, "x")), 400, "invalid_json"},
		"no credential":                 {&ogenerrors.SecurityError{Err: ogenerrors.ErrSecurityRequirementIsNotSatisfied}, 401, "unauthenticated"},
		"a fault in a security handler": {&ogenerrors.SecurityError{Err: errors.New("disk")}, 500, "internal_error"},
		"a large body":                  {body(fmt.Errorf("read: %w", &http.MaxBytesError{Limit: 1})), 413, "payload_too_large"},
		"a malformed path id":           {param(openapi.LocationPath), 404, "not_found"},
		"a malformed query":             {param(openapi.LocationQuery), 400, "validation_error"},
		"a malformed header":            {param(openapi.LocationHeader), 400, "validation_error"},
		"another content type":          {body(validate.InvalidContentType("text/plain")), 415, "unsupported_media_type"},
		"no body":                       {body(validate.ErrBodyRequired), 400, "validation_error"},
		"an invalid body":               {body(&validate.Error{Fields: []validate.FieldError{{Name: "a", Error: validate.ErrFieldRequired}}}), 400, "validation_error"},
		"malformed JSON":                {body(&ogenerrors.DecodeBodyError{Body: []byte("{"), Err: errors.New("eof")}), 400, "invalid_json"},
		"JSON of another shape":         {body(&ogenerrors.DecodeBodyError{Body: []byte("[]"), Err: errors.New("array")}), 400, "validation_error"},
		"our own invalid response":      {&validate.Error{Fields: []validate.FieldError{{Name: "a", Error: validate.ErrNilPointer}}}, 500, "internal_error"},
		"not built":                     {ht.ErrNotImplemented, 501, "not_implemented"},
		"the database is away":          {fmt.Errorf("read: %w", errAway), 503, "unavailable"},
		"anything else":                 {errors.New("secret detail"), 500, "internal_error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newClassifier().Classify(test.err)
			require.Equal(t, test.status, Status(e.Kind))
			require.EqualValues(t, test.code, e.Code)
			require.NotEmpty(t, e.Message)
			require.NotContains(t, e.Message, "secret")
		})
	}
}

func TestStatus_everyKindHasOne(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for k := apperr.KindInternal; k <= apperr.KindTimeout; k++ {
		code := Status(k)
		require.False(t, seen[code], "kind %d", k)
		require.NotEmpty(t, http.StatusText(code))
		seen[code] = true
	}
}

func TestValidationError_details(t *testing.T) {
	t.Parallel()
	nested := &validate.Error{Fields: []validate.FieldError{
		{Name: "settings", Error: fmt.Errorf("x: %w", &validate.Error{Fields: []validate.FieldError{{Name: "top/K", Error: &validate.MinLengthError{MinLength: 1}}}})},
		{Name: "origins", Error: &validate.Error{Fields: []validate.FieldError{{Name: "[3]", Error: &validate.MaxLengthError{MaxLength: 5}}}}},
		{Name: "mode", Error: errors.New("invalid value: " + strings.Repeat("x", 70000))},
		{Name: "count", Error: errors.New("int: value 7 greater than 50")},
		{Name: "grace", Error: errors.New("int: value -1 less than 0")},
		{Name: "share", Error: errors.New("float: value 1.010000 greater than 1.000000")},
		{Name: "score", Error: errors.New("float: value -1.000000 less than 0.250000")},
	}}
	e := validationError(nested, "")
	require.Equal(t, []apperr.Detail{
		{Path: "/settings/top~1K", Message: "must not be empty"},
		{Path: "/origins/3", Message: "must have at most 5 characters or entries"},
		{Path: "/mode", Message: "is not valid"},
		{Path: "/count", Message: "must be at most 50"},
		{Path: "/grace", Message: "must be at least 0"},
		{Path: "/share", Message: "must be at most 1"},
		{Path: "/score", Message: "must be at least 0.25"},
	}, e.Details)
	require.Equal(t, "settings/top~1K: must not be empty", e.Message)

	many := &validate.Error{}
	for i := range 100 {
		many.Fields = append(many.Fields, validate.FieldError{Name: strconv.Itoa(i), Error: validate.ErrFieldRequired})
	}
	require.Len(t, validationError(many, "").Details, maxDetails)
}

func TestDecodedPath(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/settings/topK", decodedPath(errors.New(`decode Project: callback: decode field "settings": callback: decode field "topK": unexpected byte`)))
	require.Empty(t, decodedPath(errors.New(strings.Repeat("x", 70000)+`decode field "a"`)))
	require.Empty(t, decodedPath(nil))
}

func TestUnknownMember(t *testing.T) {
	t.Parallel()
	require.Equal(t, "foo", unknownMember(errors.New(`decode Project: callback: decode field "settings": callback: unexpected field "foo"`)))
	require.Empty(t, unknownMember(errors.New(`callback: unexpected field "a b"`)))
	require.Empty(t, unknownMember(errors.New(`callback: decode field "topK": unexpected byte`)))
	require.Empty(t, unknownMember(nil))
}

// A response of each API for one and the same error.
func TestWrite(t *testing.T) {
	t.Parallel()
	err := apperr.Validation("/name", "must not be empty")
	err.RetryAfter = 1500 * time.Millisecond
	for path, want := range map[string]string{
		"/v1/projects":        `{"error":"name: must not be empty","code":"validation_error","details":[{"path":"/name","message":"must not be empty"}]}`,
		"/v1/rag/search":      `{"error":"name: must not be empty","code":"validation_error","details":[{"path":"/name","message":"must not be empty"}]}`,
		"/v1/extract/schemas": `{"error":"name: must not be empty","code":"VALIDATION_ERROR","details":[{"path":"/name","message":"must not be empty"}]}`,
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		info := &requestInfo{header: w.Header()}
		newClassifier().Write(w, r.WithContext(withInfo(r.Context(), info)), err)
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.JSONEq(t, want, w.Body.String())
		require.Equal(t, "2", w.Header().Get("Retry-After"))
		require.EqualValues(t, "validation_error", info.code)
	}
}

func TestAnswer_neverWithoutStatus(t *testing.T) {
	t.Parallel()
	for _, err := range []error{errors.New("x"), context.Canceled, &apperr.Error{}, &apperr.Error{Kind: 99}} {
		_, code := newClassifier().Answer(t.Context(), err)
		require.GreaterOrEqual(t, code, 400)
	}
}

func FuzzScreenJSON(f *testing.F) {
	for _, s := range []string{`{"a":"b"}`, `{"a":"\ud83d\ude00"}`, `[[[`, `"\u`, `{"a":1,"a":2}`, `"\ud800"`, "\xff", `{"\u0000":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if screenJSON(data) == nil {
			require.NotContains(t, string(data), `\u0000\u0000`)
			require.False(t, bytes.Contains(data, []byte("\xff")))
		}
	})
}

func TestAnswer_aClientThatLeftIsNoFault(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	canceled := fmt.Errorf("read the project: %w", context.Canceled)
	answer := func() (int, *requestInfo) {
		info := &requestInfo{header: http.Header{}}
		_, code := newClassifier().Answer(withInfo(ctx, info), canceled)
		return code, info
	}
	code, info := answer()
	require.Equal(t, http.StatusInternalServerError, code, "the client still waits")
	require.Error(t, info.cause)
	leave()
	code, info = answer()
	require.Equal(t, statusClientClosed, code)
	require.NoError(t, info.cause)
	require.EqualValues(t, "client_closed", info.code)
}

func TestClassifier_whileTheProcessStops(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cause  error
		err    error
		status int
		code   string
	}{
		"a fault of the stop":       {apperr.ShuttingDown(), context.Canceled, http.StatusServiceUnavailable, "shutting_down"},
		"what the caller did wrong": {apperr.ShuttingDown(), apperr.NotFound(), http.StatusNotFound, "not_found"},
		"a caller that left":        {nil, context.Canceled, statusClientClosed, "internal_error"},
		"neither":                   {nil, errors.New("a bug"), http.StatusInternalServerError, "internal_error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			info := &requestInfo{header: http.Header{}}
			ctx, end := context.WithCancelCause(withInfo(t.Context(), info))
			end(test.cause)
			e, status := Classifier{}.Answer(ctx, test.err)
			require.Equal(t, test.status, status)
			require.EqualValues(t, test.code, e.Code)
			if test.status == http.StatusServiceUnavailable {
				require.Equal(t, "1", info.header.Get("Retry-After"))
			}
		})
	}
}
