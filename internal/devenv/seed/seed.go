// Package seed makes the example companies of docqa dev: people, a company with its plan, a
// project, and one key of each kind. It may run any number of times and makes nothing twice.
package seed

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/apikeys"
	"docqa/internal/devenv/devfile"
	"docqa/internal/devenv/example"
	"docqa/internal/devenv/secrets"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/projects"
	"docqa/internal/store"
	"docqa/internal/workspace"
)

// Accounts is the identity provider.
type Accounts interface {
	// AddAccount makes an account, or gives the one that is there the password, and returns its subject.
	AddAccount(ctx context.Context, email, password string) (subject string, err error)
}

// Deps is what the seed works with.
type Deps struct {
	Store     *store.Store
	Workspace *workspace.Service
	Projects  *projects.Service
	Keys      *apikeys.Service
	Clock     clock.Clock

	Accounts Accounts
	Provider string        // the name of the identity provider, as identities are stored with it
	Kept     *secrets.File // passwords and keys of earlier runs; new ones are added and saved
	Origin   string        // web origin that the projects allow
}

// Seeder makes the examples.
type Seeder struct {
	Deps

	q *dbsqlc.Queries
}

// New returns a seeder.
func New(d Deps) *Seeder { return &Seeder{Deps: d, q: dbsqlc.New()} }

// Run makes what is missing and writes companies and users into file as they are now.
func (s *Seeder) Run(ctx context.Context, file *devfile.File) error {
	for _, want := range example.Companies() {
		company, err := s.company(ctx, want)
		if err != nil {
			return fmt.Errorf("company %s: %w", want.Name, err)
		}
		file.Companies = append(file.Companies, company)
	}
	newcomer, err := s.user(ctx, example.NewcomerEmail)
	if err != nil {
		return err
	}
	file.Newcomer = newcomer
	return s.Kept.Save()
}

// user makes the account and the user that belongs to it.
func (s *Seeder) user(ctx context.Context, email string) (devfile.User, error) {
	password := s.Kept.Password(email)
	subject, err := s.Accounts.AddAccount(ctx, email, password)
	if err != nil {
		return devfile.User{}, fmt.Errorf("account %s: %w", email, err)
	}
	var userID string
	err = s.Store.InTx(store.AsSystem(ctx, "users belong to no company"), func(ctx context.Context, tx pgx.Tx) error {
		known, err := s.q.IdentityGet(ctx, tx, dbsqlc.IdentityGetParams{Provider: s.Provider, Subject: subject})
		if userID = known.UserID; !store.IsNoRows(err) {
			return err
		}
		userID = ids.New(ids.User)
		now := s.Clock.Now()
		if _, err := s.q.UserCreate(ctx, tx, dbsqlc.UserCreateParams{UserID: userID, Email: email, Now: now}); err != nil {
			return err
		}
		return s.q.IdentityCreate(ctx, tx, dbsqlc.IdentityCreateParams{
			Provider: s.Provider, Subject: subject, UserID: userID, Email: email, EmailVerified: true, Now: now,
		})
	})
	return devfile.User{UserID: userID, Email: email, Password: password}, err
}

func (s *Seeder) company(ctx context.Context, want example.Company) (devfile.Company, error) {
	c := devfile.Company{Name: want.Name}
	for _, u := range want.Users {
		user, err := s.user(ctx, u.Email)
		if err != nil {
			return c, err
		}
		user.Role = u.Role
		c.Users = append(c.Users, user)
	}
	var err error
	if c.CompanyID, err = s.findOrCreate(ctx, c.Users[0], want); err != nil {
		return c, err
	}
	ctx = store.AsCompany(ctx, c.CompanyID)
	company, err := s.q.CompanyGet(ctx, s.Store.Pool(), c.CompanyID)
	if err != nil {
		return c, fmt.Errorf("read the company: %w", err)
	}
	c.Plan = company.Plan // it may have been changed since
	for _, u := range c.Users[1:] {
		if err := s.member(ctx, c.CompanyID, u); err != nil {
			return c, err
		}
	}
	project, err := s.project(ctx, c, want)
	c.Projects = []devfile.Project{project}
	return c, err
}

// findOrCreate returns the id of the owner's company and makes the company if there is none.
func (s *Seeder) findOrCreate(ctx context.Context, owner devfile.User, want example.Company) (string, error) {
	m, err := s.q.MemberActiveByUser(store.AsSystem(ctx, "the company is not known yet"), s.Store.Pool(), owner.UserID)
	if !store.IsNoRows(err) {
		return m.CompanyID, err
	}
	company, err := s.Workspace.CreateCompany(ctx, workspace.Founder{UserID: owner.UserID, Email: owner.Email}, want.Name)
	if err != nil {
		return "", err
	}
	_, err = s.Workspace.SetPlan(store.AsCompany(ctx, company.CompanyID), company.CompanyID, want.Plan)
	return company.CompanyID, err
}

func (s *Seeder) member(ctx context.Context, companyID string, u devfile.User) error {
	_, err := s.q.MemberGet(ctx, s.Store.Pool(), dbsqlc.MemberGetParams{CompanyID: companyID, UserID: u.UserID})
	if !store.IsNoRows(err) {
		return err
	}
	now := s.Clock.Now()
	_, err = s.q.MemberCreate(ctx, s.Store.Pool(), dbsqlc.MemberCreateParams{
		CompanyID: companyID, UserID: u.UserID, Email: u.Email, Role: u.Role, Status: "active", JoinedAt: &now, Now: now,
	})
	return err
}

// project finds the example project or makes, shares and deploys it, and issues its keys.
func (s *Seeder) project(ctx context.Context, c devfile.Company, want example.Company) (devfile.Project, error) {
	list, err := s.Projects.List(ctx, c.CompanyID, false)
	if err != nil {
		return devfile.Project{}, err
	}
	ownerID := c.Users[0].UserID
	var row dbsqlc.Project
	if i := s.find(list, want.Project); i >= 0 {
		row = list[i].Project
	} else if row, err = s.newProject(ctx, c.CompanyID, ownerID, want); err != nil {
		return devfile.Project{}, err
	}
	p := devfile.Project{ProjectID: row.ProjectID, Name: row.Name, AllowedOrigins: row.AllowedOrigins}
	if row.ShareSlug != nil {
		p.ShareSlug = *row.ShareSlug
	}
	p.Keys, err = s.keys(ctx, row, ownerID)
	return p, err
}

// find returns the index of the example project: the one whose keys are kept, since somebody
// may have renamed it, else the one of that name; -1 if there is none.
func (s *Seeder) find(list []projects.View, name string) int {
	i := slices.IndexFunc(list, func(v projects.View) bool { return s.Kept.Keys[v.Project.ProjectID] != nil })
	if i >= 0 {
		return i
	}
	return slices.IndexFunc(list, func(v projects.View) bool { return v.Project.Name == name })
}

func (s *Seeder) newProject(ctx context.Context, companyID, ownerID string, want example.Company) (dbsqlc.Project, error) {
	row, err := s.Projects.Create(ctx, companyID, projects.CreateInput{
		Name: want.Project, AllowedOrigins: &[]string{s.Origin}, By: ownerID, Admin: true,
	})
	if err != nil {
		return dbsqlc.Project{}, err
	}
	share := true
	if _, err := s.Projects.Patch(ctx, companyID, row.ProjectID, projects.Patch{ShareEnabled: &share, ShareSlug: &want.ShareSlug}); err != nil {
		return dbsqlc.Project{}, err
	}
	if _, err := s.Projects.Deploy(ctx, companyID, row.ProjectID, ownerID); err != nil {
		return dbsqlc.Project{}, err
	}
	return s.Projects.Get(ctx, companyID, row.ProjectID)
}

// keys returns the kept keys of the project and issues those that are missing or were revoked.
func (s *Seeder) keys(ctx context.Context, project dbsqlc.Project, ownerID string) (map[string]string, error) {
	kept := s.Kept.Keys[project.ProjectID]
	if kept == nil {
		kept = map[string]string{}
		s.Kept.Keys[project.ProjectID] = kept
	}
	for name, in := range map[string]apikeys.Input{
		devfile.KeyIntegrationLive: {Kind: apikeys.Integration, Environment: apikeys.Live},
		devfile.KeyIntegrationTest: {Kind: apikeys.Integration, Environment: apikeys.Test},
		devfile.KeyEmbedLive:       {Kind: apikeys.Embed, Environment: apikeys.Live},
		devfile.KeyEmbedTest:       {Kind: apikeys.Embed, Environment: apikeys.Test},
	} {
		if kept[name] != "" {
			if _, err := s.Keys.Authenticate(ctx, kept[name]); err == nil {
				continue
			}
		}
		in.Label, in.By = "docqa dev", ownerID
		issued, err := s.Keys.Create(ctx, project.CompanyID, project.ProjectID, in)
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", name, err)
		}
		kept[name] = issued.Secret
	}
	return kept, nil
}
