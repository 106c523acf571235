package signin_test

import (
	"context"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/signin"
)

// silent is a way to a provider that never answers.
type silent struct {
	asked chan struct{}
	ended chan error // why a request was given up
}

func (s silent) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked <- struct{}{}
	<-r.Context().Done()
	s.ended <- r.Context().Err()
	return nil, r.Context().Err()
}

// TestService_Principal_providerSilent: whoever waits for the provider's keys waits no
// longer than its own request, and a stop ends the rest.
func TestService_Principal_providerSilent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	way := silent{make(chan struct{}, 2), make(chan error, 2)}
	people := signin.New(signin.Deps{
		Store: b.store, Clock: b.clock, Logger: slog.New(slog.DiscardHandler),
		Provider: "idp", Issuer: b.idp.URL, ClientID: clientID, Client: &http.Client{Transport: way},
	})
	t.Cleanup(people.Close)
	token := sign(t, b.claims("anna"))
	ask := func(ctx context.Context) <-chan error {
		refused := make(chan error, 1)
		go func() {
			_, err := people.Principal(ctx, token)
			refused <- err
		}()
		return refused
	}
	leaving, leave := context.WithCancel(t.Context())
	first := ask(leaving)
	<-way.asked
	second := ask(t.Context())
	leave()
	select {
	case err := <-first:
		require.ErrorIs(t, err, context.Canceled)
	case err := <-way.ended:
		require.Fail(t, "the caller waited as long as the provider was silent", "%v", err)
	}
	people.Close()
	require.ErrorIs(t, <-way.ended, context.Canceled, "not its timeout")
	require.EqualValues(t, "idp_unavailable", apperr.CodeOf(<-second))
}
