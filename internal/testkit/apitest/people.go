package apitest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/apikeys"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/projects"
	"docqa/internal/store"
	"docqa/internal/testkit/idptest"
	"docqa/internal/workspace"
)

// User is a person who has signed in.
type User struct {
	ID      string
	Subject string
	Email   string
	Token   string // access token
}

// Company is a workspace with its owner.
type Company struct {
	ID    string
	Owner *User

	env *Env
}

// User signs in a new person without a company.
func (e *Env) User(t *testing.T) *User {
	t.Helper()
	subject := ids.New("sub")
	u := &User{Subject: subject, Email: subject + "@example.com"}
	u.Token = idptest.Sign(t, e.IDP.Claims(e.Clock.Now(), u.Subject))
	p, err := e.People.Principal(t.Context(), u.Token)
	require.NoError(t, err)
	u.ID = p.UserID
	return u
}

// Renew signs u in again, for tests in which a token has expired.
func (e *Env) Renew(t *testing.T, u *User) {
	t.Helper()
	u.Token = idptest.Sign(t, e.IDP.Claims(e.Clock.Now(), u.Subject))
}

// Company makes a company on plan.
func (e *Env) Company(t *testing.T, plan string) *Company {
	t.Helper()
	owner := e.User(t)
	company, err := e.Companies.CreateCompany(t.Context(), workspace.Founder{UserID: owner.ID, Email: owner.Email}, "Example Ltd")
	require.NoError(t, err)
	c := &Company{ID: company.CompanyID, Owner: owner, env: e}
	_, err = e.Companies.SetPlan(c.Context(t), c.ID, plan)
	require.NoError(t, err)
	e.People.Forget(c.ID)
	return c
}

// Context returns a context whose queries see the company's rows.
func (c *Company) Context(t *testing.T) context.Context {
	t.Helper()
	return store.AsCompany(t.Context(), c.ID)
}

// Member makes an active member: authn.RoleMember or authn.RoleAdmin.
func (c *Company) Member(t *testing.T, role string) *User {
	t.Helper()
	u := c.env.User(t)
	now := c.env.Clock.Now()
	_, err := dbsqlc.New().MemberCreate(c.Context(t), c.env.Store.Pool(), dbsqlc.MemberCreateParams{
		CompanyID: c.ID, UserID: u.ID, Email: u.Email, Role: role, Status: "active", JoinedAt: &now, Now: now,
	})
	require.NoError(t, err)
	c.env.People.Forget(c.ID)
	return u
}

// Project makes a project that allows the browser origins.
func (c *Company) Project(t *testing.T, origins ...string) dbsqlc.Project {
	t.Helper()
	ctx := authn.With(t.Context(), authn.Principal{
		Kind: authn.KindUser, CompanyID: c.ID, UserID: c.Owner.ID, Email: c.Owner.Email, Role: authn.RoleOwner,
	})
	p, err := c.env.Projects.Create(ctx, c.ID, projects.CreateInput{Name: "Handbook", AllowedOrigins: &origins, By: c.Owner.ID, Admin: true})
	require.NoError(t, err)
	return p.Project
}

// Key issues a key of the project and returns its secret.
func (c *Company) Key(t *testing.T, projectID, kind, environment string) string {
	t.Helper()
	issued, err := c.env.Keys.Create(c.Context(t), c.ID, projectID, apikeys.Input{Kind: kind, Environment: environment, By: c.Owner.ID})
	require.NoError(t, err)
	return issued.Secret
}

// Document makes a document in any state, without a file.
func (c *Company) Document(t *testing.T, projectID, status string) (documentID string) {
	t.Helper()
	documentID = ids.New(ids.Document)
	_, err := c.env.Store.Pool().Exec(c.Context(t), `insert into documents
		(company_id, project_id, document_id, filename, title, status, content_type, format, created_at, updated_at)
		values ($1, $2, $3, 'handbook.txt', 'handbook', $4, 'text/plain', 'txt', $5, $5)`,
		c.ID, projectID, documentID, status, c.env.Clock.Now())
	require.NoError(t, err)
	return documentID
}
