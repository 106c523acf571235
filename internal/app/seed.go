package app

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/apikeys"
	"docqa/internal/devenv/devfile"
	"docqa/internal/devenv/idp"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/projects"
	"docqa/internal/store"
	"docqa/internal/workspace"
)

// The names of the keys in dev.json.
const (
	keyIntegrationLive = "sk_live"
	keyIntegrationTest = "sk_test"
	keyEmbedLive       = "embed_live"
	keyEmbedTest       = "embed_test"
)

// exampleCompany is what the seed makes of one company.
type exampleCompany struct {
	name, plan, project, shareSlug string
	users                          []exampleUser // the first is the owner
}

type exampleUser struct{ email, role string }

func exampleCompanies() []exampleCompany {
	return []exampleCompany{
		{"Example", "pro", "Help desk", "help-desk", []exampleUser{
			{"owner@example.test", authn.RoleOwner}, {"admin@example.test", authn.RoleAdmin}, {"member@example.test", authn.RoleMember},
		}},
		{"Other", "free", "Brewing", "brewing", []exampleUser{{"owner@other.test", authn.RoleOwner}}},
	}
}

const newcomerEmail = "newcomer@example.test"

// seed makes what is missing of the example companies and tells dev.json of them.
// Nothing is made twice.
func (d *development) seed(ctx context.Context, app *App, accounts *idp.Provider) error {
	if accounts == nil {
		return nil // another identity provider: its people are not ours to make
	}
	s := seeder{app: app, accounts: accounts, secrets: d.secrets, origin: d.file.BaseURL}
	for _, want := range exampleCompanies() {
		company, err := s.company(ctx, want)
		if err != nil {
			return fmt.Errorf("company %s: %w", want.name, err)
		}
		d.file.Companies = append(d.file.Companies, company)
	}
	newcomer, err := s.user(ctx, newcomerEmail)
	if err != nil {
		return err
	}
	d.file.Newcomer = newcomer
	return d.secrets.save()
}

type seeder struct {
	app      *App
	accounts *idp.Provider
	secrets  *devSecrets
	origin   string
}

// user makes the account and the person behind it.
func (s seeder) user(ctx context.Context, email string) (devfile.User, error) {
	password := s.secrets.password(email)
	subject, err := s.accounts.AddAccount(ctx, email, password)
	if err != nil {
		return devfile.User{}, fmt.Errorf("account %s: %w", email, err)
	}
	q, provider := dbsqlc.New(), s.app.cfg.IDPProvider
	id := dbsqlc.IdentityGetParams{Provider: provider, Subject: subject}
	var userID string
	err = s.app.store.InTx(store.AsSystem(ctx, "people stand above companies"), func(ctx context.Context, tx pgx.Tx) error {
		known, err := q.IdentityGet(ctx, tx, id)
		if userID = known.UserID; !store.IsNoRows(err) {
			return err
		}
		userID = ids.New(ids.User)
		now := clock.System().Now()
		if _, err := q.UserCreate(ctx, tx, dbsqlc.UserCreateParams{UserID: userID, Email: email, Now: now}); err != nil {
			return err
		}
		return q.IdentityCreate(ctx, tx, dbsqlc.IdentityCreateParams{
			Provider: provider, Subject: subject, UserID: userID, Email: email, EmailVerified: true, Now: now,
		})
	})
	return devfile.User{UserID: userID, Email: email, Password: password}, err
}

func (s seeder) company(ctx context.Context, want exampleCompany) (devfile.Company, error) {
	c := devfile.Company{Name: want.name, Plan: want.plan}
	for _, u := range want.users {
		user, err := s.user(ctx, u.email)
		if err != nil {
			return c, err
		}
		user.Role = u.role
		c.Users = append(c.Users, user)
	}
	var err error
	if c.CompanyID, err = s.founded(ctx, c.Users[0], want); err != nil {
		return c, err
	}
	ctx = store.AsCompany(ctx, c.CompanyID)
	for _, u := range c.Users[1:] {
		if err := s.member(ctx, c.CompanyID, u); err != nil {
			return c, err
		}
	}
	project, err := s.project(ctx, c.CompanyID, c.Users[0].UserID, want)
	c.Projects = []devfile.Project{project}
	return c, err
}

// founded returns the company that owner belongs to and founds it where there is none.
func (s seeder) founded(ctx context.Context, owner devfile.User, want exampleCompany) (string, error) {
	m, err := dbsqlc.New().MemberActiveByUser(store.AsSystem(ctx, "the company is not known yet"), s.app.store.Pool(), owner.UserID)
	if !store.IsNoRows(err) {
		return m.CompanyID, err
	}
	company, err := s.app.workspace.CreateCompany(ctx, workspace.Founder{UserID: owner.UserID, Email: owner.Email}, want.name)
	if err != nil {
		return "", err
	}
	_, err = s.app.workspace.SetPlan(store.AsCompany(ctx, company.CompanyID), company.CompanyID, want.plan)
	return company.CompanyID, err
}

func (s seeder) member(ctx context.Context, companyID string, u devfile.User) error {
	q := dbsqlc.New()
	_, err := q.MemberGet(ctx, s.app.store.Pool(), dbsqlc.MemberGetParams{CompanyID: companyID, UserID: u.UserID})
	if !store.IsNoRows(err) {
		return err
	}
	now := clock.System().Now()
	_, err = q.MemberCreate(ctx, s.app.store.Pool(), dbsqlc.MemberCreateParams{
		CompanyID: companyID, UserID: u.UserID, Email: u.Email, Role: u.Role, Status: "active", JoinedAt: &now, Now: now,
	})
	return err
}

// project makes the project, shares it, deploys it and issues one key of each kind.
func (s seeder) project(ctx context.Context, companyID, ownerID string, want exampleCompany) (devfile.Project, error) {
	list, err := s.app.projects.List(ctx, companyID, false)
	if err != nil {
		return devfile.Project{}, err
	}
	i := slices.IndexFunc(list, func(v projects.View) bool { return v.Project.Name == want.project })
	var row dbsqlc.Project
	if i >= 0 {
		row = list[i].Project
	} else if row, err = s.newProject(ctx, companyID, ownerID, want); err != nil {
		return devfile.Project{}, err
	}
	p := devfile.Project{ProjectID: row.ProjectID, Name: row.Name, AllowedOrigins: row.AllowedOrigins}
	if row.ShareSlug != nil {
		p.ShareSlug = *row.ShareSlug
	}
	p.Keys, err = s.keys(ctx, companyID, row.ProjectID, ownerID)
	return p, err
}

func (s seeder) newProject(ctx context.Context, companyID, ownerID string, want exampleCompany) (dbsqlc.Project, error) {
	origins := []string{s.origin}
	row, err := s.app.projects.Create(ctx, companyID, projects.CreateInput{Name: want.project, AllowedOrigins: &origins, By: ownerID, Admin: true})
	if err != nil {
		return dbsqlc.Project{}, err
	}
	share := true
	if _, err := s.app.projects.Patch(ctx, companyID, row.ProjectID, projects.Patch{ShareEnabled: &share, ShareSlug: &want.shareSlug}); err != nil {
		return dbsqlc.Project{}, err
	}
	if _, err := s.app.projects.Deploy(ctx, companyID, row.ProjectID, ownerID); err != nil {
		return dbsqlc.Project{}, err
	}
	return s.app.projects.Get(ctx, companyID, row.ProjectID)
}

// keys returns the kept keys and issues those that are missing or were revoked.
func (s seeder) keys(ctx context.Context, companyID, projectID, ownerID string) (map[string]string, error) {
	kept := s.secrets.Keys[projectID]
	if kept == nil {
		kept = map[string]string{}
		s.secrets.Keys[projectID] = kept
	}
	for name, in := range map[string]apikeys.Input{
		keyIntegrationLive: {Kind: apikeys.Integration, Environment: apikeys.Live},
		keyIntegrationTest: {Kind: apikeys.Integration, Environment: apikeys.Test},
		keyEmbedLive:       {Kind: apikeys.Embed, Environment: apikeys.Live},
		keyEmbedTest:       {Kind: apikeys.Embed, Environment: apikeys.Test},
	} {
		if kept[name] != "" {
			if _, err := s.app.keys.Authenticate(ctx, kept[name]); err == nil {
				continue
			}
		}
		in.Label, in.By = "docqa dev", ownerID
		issued, err := s.app.keys.Create(ctx, companyID, projectID, in)
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", name, err)
		}
		kept[name] = issued.Secret
	}
	return kept, nil
}
