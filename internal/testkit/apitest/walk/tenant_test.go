package walk_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/apikeys"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/idptest"
)

// site is the browser origin that every project of the tests allows.
const site = "https://shop.example"

// codeOf returns the code of an error body, "" for anything else.
func codeOf(data []byte) string {
	var doc struct {
		Error string `json:"error"`
		Code  string `json:"code"`
	}
	if json.Unmarshal(data, &doc) != nil || doc.Error == "" {
		return ""
	}
	return doc.Code
}

func bearer(token string) credential { return credential{"Authorization": "Bearer " + token} }

// token signs in as a new subject.
func (in *installation) token(t *testing.T, subject string) string {
	t.Helper()
	return idptest.Sign(t, in.idp.Claims(clock.System().Now(), subject))
}

// tenant is a company with a project that is shared and live.
type tenant struct {
	in        *installation
	companyID string
	projectID string
	slug      string
}

// tenant makes a company on plan.
func (in *installation) tenant(t *testing.T, plan string) *tenant {
	t.Helper()
	ten := &tenant{in: in, companyID: ids.New(ids.Company)}
	ctx, q, now := store.AsCompany(t.Context(), ten.companyID), dbsqlc.New(), clock.System().Now()
	_, err := q.CompanyCreate(ctx, in.store.Pool(), dbsqlc.CompanyCreateParams{
		CompanyID: ten.companyID, Name: "Company", Slug: ten.companyID, OwnerUserID: ids.New(ids.User), Now: now,
	})
	require.NoError(t, err)
	_, err = q.CompanySettingsCreate(ctx, in.store.Pool(), dbsqlc.CompanySettingsCreateParams{CompanyID: ten.companyID, Now: now})
	require.NoError(t, err)
	_, err = q.CompanySetPlan(ctx, in.store.Pool(), dbsqlc.CompanySetPlanParams{CompanyID: ten.companyID, Plan: plan, Now: now})
	require.NoError(t, err)
	ten.projectID = ten.project(t)
	return ten
}

// user signs in a new member with the role. Without a role it signs in a user without a
// company.
func (ten *tenant) user(t *testing.T, role string) credential {
	t.Helper()
	subject := ids.New("sub")
	if role != "" {
		ctx, q, now := store.AsCompany(t.Context(), ten.companyID), dbsqlc.New(), clock.System().Now()
		u, email := ids.New(ids.User), subject+"@example.com"
		_, err := q.UserCreate(ctx, ten.in.store.Pool(), dbsqlc.UserCreateParams{UserID: u, Email: email, Now: now})
		require.NoError(t, err)
		require.NoError(t, q.IdentityCreate(ctx, ten.in.store.Pool(), dbsqlc.IdentityCreateParams{
			Provider: "idp", Subject: subject, UserID: u, Email: email, EmailVerified: true, Now: now,
		}))
		_, err = q.MemberCreate(ctx, ten.in.store.Pool(), dbsqlc.MemberCreateParams{
			CompanyID: ten.companyID, UserID: u, Email: email, Role: role, Status: "active", JoinedAt: &now, Now: now,
		})
		require.NoError(t, err)
	}
	return bearer(ten.in.token(t, subject))
}

func (ten *tenant) admin(t *testing.T) credential {
	t.Helper()
	return ten.user(t, authn.RoleAdmin)
}

// project makes another project through the API.
func (ten *tenant) project(t *testing.T) string {
	t.Helper()
	admin := ten.admin(t)
	made := ten.in.call(t, http.MethodPost, "/v1/projects", admin, []byte(`{"name":"Handbook","allowedOrigins":["`+site+`"]}`))
	require.Equal(t, http.StatusOK, made.status, made.body)
	var doc struct{ Project struct{ ProjectID string } }
	require.NoError(t, json.Unmarshal([]byte(made.body), &doc))
	id := doc.Project.ProjectID
	deployed := ten.in.call(t, http.MethodPost, "/v1/projects/"+id+"/deploy", admin, nil)
	require.Equal(t, http.StatusOK, deployed.status, deployed.body)
	ten.slug = strings.ReplaceAll(id, "_", "-")
	shared := ten.in.call(t, http.MethodPatch, "/v1/projects/"+id, admin, []byte(`{"shareEnabled":true,"shareSlug":"`+ten.slug+`"}`))
	require.Equal(t, http.StatusOK, shared.status, shared.body)
	return id
}

// key issues a key of the project.
func (ten *tenant) key(t *testing.T, kind, environment string) string {
	t.Helper()
	ctx := store.AsCompany(t.Context(), ten.companyID)
	issued, err := ten.in.keys.Create(ctx, ten.companyID, ten.projectID, apikeys.Input{Kind: kind, Environment: environment, By: ids.New(ids.User)})
	require.NoError(t, err)
	return issued.Secret
}

// shareToken gets a share token for a visitor, through the API.
func (ten *tenant) shareToken(t *testing.T) string {
	t.Helper()
	a := ten.in.call(t, http.MethodGet, "/v1/public/share/"+ten.slug, nil, nil)
	require.Equal(t, http.StatusOK, a.status, a.body)
	var doc struct{ ShareToken string }
	require.NoError(t, json.Unmarshal([]byte(a.body), &doc))
	return doc.ShareToken
}

// rightful is the credential that the operation needs.
func (ten *tenant) rightful(t *testing.T, op operation) credential {
	t.Helper()
	switch op.scheme() {
	case "dashboardJWT":
		if op.path == "/v1/companies" {
			return ten.user(t, "")
		}
		return ten.admin(t)
	case "serviceKey", "bearerKey":
		return credential{"X-Service-Key": ten.key(t, apikeys.Integration, apikeys.Live)}
	case "ragServiceKey", "ragBearer":
		return credential{"X-Rag-Service-Key": ragKey}
	case "shimIdToken":
		return bearer("an.id.token")
	case "billingSignature":
		return credential{"X-Billing-Signature": "t=1,v1=00"}
	case "chatappSignature":
		return credential{"X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "1"}
	case "msgappSignature":
		return credential{"X-Hub-Signature-256": "sha256=00"}
	}
	return nil
}
