package signin_test

import (
	"log/slog"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"docqa/internal/platform/clock"
	"docqa/internal/signin"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/idptest"
)

const clientID = idptest.ClientID

type bundle struct {
	idp    *idptest.IDP
	store  *store.Store
	clock  *clock.Manual
	people *signin.Service
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{idp: idptest.New(t), store: dbtest.New(t), clock: clock.Fixed(factory.Epoch())}
	b.people = b.service(t)
	return b
}

func (b *bundle) service(t *testing.T) *signin.Service {
	t.Helper()
	s := signin.New(signin.Deps{
		Store: b.store, Clock: b.clock, Logger: slog.New(slog.DiscardHandler),
		Provider: "idp", Issuer: b.idp.URL, ClientID: clientID, Audience: clientID,
	})
	t.Cleanup(s.Close)
	return s
}

func (b *bundle) claims(subject string) jwt.MapClaims { return b.idp.Claims(b.clock.Now(), subject) }

func sign(t *testing.T, c jwt.MapClaims, change ...func(*jwt.Token)) string {
	t.Helper()
	return idptest.Sign(t, c, change...)
}
