package authn

import "context"

// Kind is the kind of credential that a principal used.
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
	Test      bool   // a test key: gets fixed answers and touches no document
	Suspended bool   // KindUser: the company may only read, not write
}

// IsAdmin tells whether the principal is an admin; an owner counts as one.
func (p Principal) IsAdmin() bool { return p.Role == RoleAdmin || p.Role == RoleOwner }

// FromBrowser tells whether browsers use this kind of credential.
func (p Principal) FromBrowser() bool { return p.Kind == KindEmbed || p.Kind == KindShare }

type contextKey struct{}

// With returns a context that carries p.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From returns the principal in ctx; ok is false if there is none.
func From(ctx context.Context) (p Principal, ok bool) {
	p, ok = ctx.Value(contextKey{}).(Principal)
	return p, ok
}

// Must returns the principal in ctx. If there is none, it returns the zero principal, whose
// empty company id matches no rows.
func Must(ctx context.Context) Principal {
	p, _ := From(ctx)
	return p
}
