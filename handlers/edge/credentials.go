package edge

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"

	"github.com/ogen-go/ogen/ogenerrors"

	"docqa/gen/dbsqlc"
	"docqa/gen/operations"
	"docqa/internal/apikeys"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
)

// Guard checks credentials and makes principals of them. The generated servers call it
// for every credential of a request, in the order of the contract. The first credential
// that is accepted decides who the caller is; the first one that is refused ends the
// request.
//
// Order of checks: the credential (401, or 429 after too many refused credentials from
// one address), the rate (429), then role, plan, origin and address (403).
//
// Source: main API section 5.
type Guard struct {
	keys   *apikeys.Service
	shares *sharetoken.Service
	people *signin.Service
	limits *Limits
	rag    [][sha256.Size]byte // digests of RAG_SERVICE_KEYS
}

// errSkip tells the generated server to try the next credential.
var errSkip = ogenerrors.ErrSkipServerSecurity

// enter makes p the caller of the request and counts the request against p's rate.
func (g *Guard) enter(ctx context.Context, p authn.Principal, project *dbsqlc.Project) (context.Context, error) {
	info := infoFrom(ctx)
	info.principal, info.project = p, project
	ctx = authn.With(ctx, p)
	if err := g.limits.principal(ctx, p); err != nil {
		return nil, err
	}
	return ctx, nil
}

// refused counts a refused credential by the address of the caller. It returns err, or a
// 429 if the address has sent too many: this slows down guessing keys.
func (g *Guard) refused(ctx context.Context, err error) error {
	if apperr.KindOf(err) != apperr.KindUnauthenticated {
		return err
	}
	if limited := g.limits.failedCredential(ctx); limited != nil {
		return limited
	}
	return err
}

// Key accepts an integration or embed key, whichever header it came in.
func (g *Guard) Key(ctx context.Context, secret string) (context.Context, error) {
	if _, ok := authn.From(ctx); ok {
		return nil, errSkip
	}
	info := infoFrom(ctx)
	a, err := g.keys.Authenticate(ctx, secret)
	if err != nil {
		return nil, g.refused(ctx, err)
	}
	p := authn.Principal{
		Kind: authn.KindKey, CompanyID: a.Key.CompanyID, Plan: a.Plan, KeyID: a.Key.KeyID, ProjectID: a.Key.ProjectID,
		Test: a.Key.Environment == apikeys.Test,
	}
	if a.Key.Kind == apikeys.Embed {
		if info.op.Access != operations.Browser {
			return nil, g.refused(ctx, unauthenticated())
		}
		p.Kind = authn.KindEmbed
	}
	if ctx, err = g.enter(ctx, p, &a.Project); err != nil {
		return nil, err
	}
	if err := checkOrigin(p.Kind, info.origin, a.Project.AllowedOrigins); err != nil {
		return nil, err
	}
	return ctx, checkAddress(info.ip, a.Project.Settings.IPAllowlist)
}

// BearerKey accepts a key that was sent as a bearer token. It skips other tokens.
func (g *Guard) BearerKey(ctx context.Context, token string) (context.Context, error) {
	if !apikeys.Recognises(token) {
		return nil, errSkip
	}
	return g.Key(ctx, token)
}

// ShareToken accepts a share token. It is not bound to origins: the token is the credential.
func (g *Guard) ShareToken(ctx context.Context, token string) (context.Context, error) {
	if _, ok := authn.From(ctx); ok {
		return nil, errSkip
	}
	info := infoFrom(ctx)
	if info.op.Access != operations.Browser {
		return nil, g.refused(ctx, unauthenticated())
	}
	a, err := g.shares.Authenticate(ctx, token)
	if err != nil {
		return nil, g.refused(ctx, err)
	}
	p := authn.Principal{Kind: authn.KindShare, CompanyID: a.Project.CompanyID, Plan: a.Plan, ProjectID: a.Project.ProjectID}
	if ctx, err = g.enter(ctx, p, &a.Project); err != nil {
		return nil, err
	}
	return ctx, checkAddress(info.ip, a.Project.Settings.IPAllowlist)
}

// RagKey accepts the service key of the installation, compared in constant time.
//
// Source: main API section 5 rule 10.
func (g *Guard) RagKey(ctx context.Context, key string) (context.Context, error) {
	if _, ok := authn.From(ctx); ok {
		return nil, errSkip
	}
	if len(g.rag) == 0 {
		return nil, apperr.NotConfigured("RAG_SERVICE_KEYS")
	}
	sum := sha256.Sum256([]byte(key))
	found := 0
	for _, known := range g.rag {
		found |= subtle.ConstantTimeCompare(sum[:], known[:])
	}
	if found == 0 {
		return nil, g.refused(ctx, apperr.New(apperr.KindUnauthenticated, apperr.CodeInvalidKey, "the service key is not valid"))
	}
	return g.enter(ctx, authn.Principal{Kind: authn.KindRagService, KeyID: hex.EncodeToString(sum[:4])}, nil)
}
