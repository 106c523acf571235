package authn

import "context"

// Kind is the credential that a principal came with.
type Kind string

// The kinds of credentials.
//
// Source: main API section 5.
const (
	KindUser       Kind = "user"        // identity-provider JWT
	KindKey        Kind = "key"         // integration key
	KindEmbed      Kind = "embed"       // embed key
	KindShare      Kind = "share"       // share token
	KindRagService Kind = "rag_service" // service key of the installation
	KindAnonymous  Kind = "anonymous"
)

// Roles of members, as stored.
const (
	RoleOwner  = "owner"
	RoleAdmin  = "admin"
	RoleMember = "member"
)

// Principal is the caller of one request.
type Principal struct {
	Kind      Kind
	CompanyID string // empty for a signed-in user without a company and for the rag service key
	Plan      string // the company's plan
	UserID    string // KindUser
	Email     string // KindUser
	Role      string // KindUser: owner, admin or member
	KeyID     string // KindKey, KindEmbed
	ProjectID string // KindKey, KindEmbed, KindShare: the one project it belongs to
	Test      bool   // a test key: answers from a fixture and touches nothing
	Suspended bool   // KindUser: the company may only read
}

// IsAdmin tells whether the principal is an admin; an owner counts as one.
func (p Principal) IsAdmin() bool { return p.Role == RoleAdmin || p.Role == RoleOwner }

// FromBrowser tells whether the credential is one that browsers hold.
func (p Principal) FromBrowser() bool { return p.Kind == KindEmbed || p.Kind == KindShare }

type contextKey struct{}

// With returns a context that carries p.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From returns the principal in ctx; ok is false where there is none.
func From(ctx context.Context) (p Principal, ok bool) {
	p, ok = ctx.Value(contextKey{}).(Principal)
	return p, ok
}

// Must returns the principal in ctx, the zero one where there is none: its empty
// company id sees no rows.
func Must(ctx context.Context) Principal {
	p, _ := From(ctx)
	return p
}
