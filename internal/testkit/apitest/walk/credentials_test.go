package walk_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/idptest"
)

// passes means that a credential is accepted, whatever the operation then answers.
const passes = "-"

// TestCredentials sends every credential to every operation. testdata/operations.csv gives the
// class of an operation; testdata/credentials.csv gives the result of a credential for each
// class: "-" if it is accepted, otherwise the status, and the code of a 403.
//
// The requests have no body and name a project that does not exist. An accepted caller
// therefore gets another refusal, and nothing changes.
//
// Source: main API section 5; docs/decisions.md#who-may-call-what.
func TestCredentials(t *testing.T) {
	t.Parallel()
	in := install(t)
	classes := classOf(t)
	senders := in.senders(t)
	rows := readCSV(t, "testdata/credentials.csv")
	operations := contract(t)
	for _, row := range rows[1:] {
		name, want := row[0], map[string]string{}
		for i, class := range rows[0][1:] {
			want[class] = row[i+1]
		}
		c, ok := senders[name]
		require.True(t, ok, "nobody knows the credential %q", name)
		delete(senders, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, op := range operations {
				require.Contains(t, want, classes[op.ID], op.ID)
				got := outcome(in.call(t, op.method, at(op, fresh(op)), c, nil))
				if got != want[classes[op.ID]] {
					t.Errorf("%s %s %s (%s): %s, want %s", op.ID, op.method, op.path, classes[op.ID], got, want[classes[op.ID]])
				}
			}
		})
	}
	require.Empty(t, senders, "credentials that the table does not name")
}

// TestCredentials_ClassesFollowTheContract compares the table with the contract.
func TestCredentials_ClassesFollowTheContract(t *testing.T) {
	t.Parallel()
	asks := map[string]string{
		"public": "", "share page": "{} dashboardJWT[optional]", "browser": "serviceKey shareToken bearerKey", "key": "serviceKey bearerKey",
		"rag": "ragServiceKey ragBearer", "member": "dashboardJWT[member]", "admin": "dashboardJWT[admin]",
		"admin growth": "dashboardJWT[admin plan:growth]", "signed in": "dashboardJWT[signed_in]", "shim": "shimIdToken",
		"billing": "billingSignature", "msgapp": "msgappSignature", "chatapp": "chatappSignature",
	}
	classes := classOf(t)
	for _, op := range contract(t) {
		class, ok := classes[op.ID]
		require.True(t, ok, "testdata/operations.csv does not name %s", op.ID)
		require.Equal(t, asks[class], security(op), op.ID)
		delete(classes, op.ID)
	}
	require.Empty(t, classes, "operations that the contract does not know")
}

func security(op operation) string {
	var list []string
	for _, alternative := range op.Security {
		if len(alternative) == 0 {
			list = append(list, "{}")
		}
		for scheme, roles := range alternative {
			if len(roles) > 0 {
				scheme += fmt.Sprint(roles)
			}
			list = append(list, scheme)
		}
	}
	return strings.Join(list, " ")
}

// outcome returns what an answer says about the credential.
func outcome(a answer) string {
	switch {
	case a.status == http.StatusForbidden && a.code == "private_share", a.status == http.StatusForbidden && a.code == "verify_token_mismatch":
		return passes
	case a.status == http.StatusForbidden:
		return "403 " + a.code
	case a.status == http.StatusUnauthorized, a.code == "invalid_signature":
		return strconv.Itoa(a.status)
	case a.status >= http.StatusInternalServerError && a.status != http.StatusNotImplemented:
		return fmt.Sprint(a.status, a.body)
	}
	return passes
}

// fresh gives the variables of the path ids of nothing that exists.
func fresh(op operation) map[string]string {
	list := values(op, nil)
	for name, example := range list {
		if prefix, _, ok := strings.Cut(example, "_"); ok && ids.Valid(prefix, ids.New(prefix)) && len(example) > 26 {
			list[name] = ids.New(prefix)
		}
	}
	return list
}

// senders makes the credentials that the table names.
func (in *installation) senders(t *testing.T) map[string]credential {
	t.Helper()
	ten, poor := in.tenant(t, "growth"), in.tenant(t, "free")
	key, embed := ten.key(t, apikeys.Integration, apikeys.Live), ten.key(t, apikeys.Embed, apikeys.Live)
	with := func(c credential, more ...string) credential {
		both := credential{}
		maps.Copy(both, c)
		for i := 0; i < len(more); i += 2 {
			both[more[i]] = more[i+1]
		}
		return both
	}
	sent := func(key string) credential { return credential{"X-Service-Key": key} }
	share := credential{"X-Service-Share-Token": ten.shareToken(t)}
	admin := ten.admin(t)
	const origin, elsewhere = "Origin", "https://elsewhere.example"
	return map[string]credential{
		"none":                                  nil,
		"no such token":                         bearer("no.such.token"),
		"no such key":                           sent("sk_live_0000000000000000000000000000000000000000"),
		"revoked key":                           sent(ten.revoked(t)),
		"key":                                   sent(key),
		"key as bearer":                         bearer(key),
		"test key":                              sent(ten.key(t, apikeys.Integration, apikeys.Test)),
		"key from an allowed origin":            with(sent(key), origin, site),
		"key from another origin":               with(sent(key), origin, elsewhere),
		"no such key and a key as bearer":       with(bearer(key), "X-Service-Key", "sk_live_0000000000000000000000000000000000000000"),
		"embed key":                             sent(embed),
		"embed key from an allowed origin":      with(sent(embed), origin, site),
		"embed key from another origin":         with(sent(embed), origin, elsewhere),
		"embed test key from an allowed origin": with(sent(ten.key(t, apikeys.Embed, apikeys.Test)), origin, site),
		"share token":                           share,
		"share token from another origin":       with(share, origin, elsewhere),
		"expired token":                         in.expired(t),
		"newcomer":                              ten.user(t, ""),
		"member on free":                        poor.user(t, authn.RoleMember),
		"admin on free":                         poor.admin(t),
		"owner on free":                         poor.user(t, authn.RoleOwner),
		"member":                                ten.user(t, authn.RoleMember),
		"admin":                                 admin,
		"owner":                                 ten.user(t, authn.RoleOwner),
		"admin from another origin":             with(admin, origin, elsewhere),
		"rag key":                               {"X-Rag-Service-Key": ragKey},
		"rag key as bearer":                     bearer(ragKey),
		"signature": {
			"X-Billing-Signature": "t=1,v1=00", "X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "1", "X-Hub-Signature-256": "sha256=00",
		},
	}
}

// revoked is a key that was valid and is revoked.
func (ten *tenant) revoked(t *testing.T) string {
	t.Helper()
	ctx := store.AsCompany(t.Context(), ten.companyID)
	issued, err := ten.in.keys.Create(ctx, ten.companyID, ten.projectID, apikeys.Input{Kind: apikeys.Integration, Environment: apikeys.Live, By: ids.New(ids.User)})
	require.NoError(t, err)
	a := ten.in.call(t, http.MethodDelete, "/v1/projects/"+ten.projectID+"/keys/"+issued.Key.KeyID, ten.admin(t), nil)
	require.Equal(t, http.StatusOK, a.status, a.body)
	return issued.Secret
}

// expired is an access token that expired an hour ago.
func (in *installation) expired(t *testing.T) credential {
	t.Helper()
	return bearer(idptest.Sign(t, in.idp.Claims(clock.System().Now().Add(-2*time.Hour), ids.New("sub"))))
}

func classOf(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, row := range readCSV(t, "testdata/operations.csv")[1:] {
		require.NotContains(t, list, row[0], "stands twice")
		list[row[0]] = row[1]
	}
	return list
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	return rows
}
