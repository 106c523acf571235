package chat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// BenchmarkChat measures a whole question of 1,000 chunks beside the floors it stands
// on, in interleaved rounds: one durable commit and SELECT 1 through pgx. A durable
// commit needs a cluster with fsync on: DATABASE_URL names one (it is migrated), the
// tests' own cluster loses its data on purpose.
func BenchmarkChat(b *testing.B) {
	url := os.Getenv("DATABASE_URL")
	if url == "" {
		url = dbtest.URL(b)
	} else {
		require.NoError(b, store.Migrate(b.Context(), url))
	}
	s, err := store.Open(b.Context(), url, store.Options{})
	require.NoError(b, err)
	b.Cleanup(s.Close)
	ten := factory.NewTenant(b, s, factory.TenantOpts{Plan: limits.PlanEnterprise})
	words := fill(b, s, ten, 1000)
	svc := chat.New(chat.Deps{Store: s, Clock: clock.System(), Search: search.New(search.Deps{Store: s, Clock: clock.System()}), Writer: chat.Extractive()})
	ctx := ten.Context(context.WithoutCancel(b.Context()))
	caller := authn.Principal{Kind: authn.KindKey, CompanyID: ten.CompanyID, Plan: limits.PlanEnterprise, ProjectID: ten.Project.ProjectID}
	_, err = s.Pool().Exec(ctx, "insert into usage_shards (company_id, month, shard) values ($1, '2000-01-01', 0)", ten.CompanyID)
	require.NoError(b, err)

	var chats, commits, selects []time.Duration
	b.ResetTimer()
	for i := range b.N {
		chats = append(chats, timed(func() {
			_, err := svc.Ask(ctx, ten.CompanyID, &ten.Project, caller, chat.Request{Question: question(words, i)}, nil)
			require.NoError(b, err)
		}))
		commits = append(commits, timed(func() {
			_, err := s.Pool().Exec(ctx, "update usage_shards set messages = messages + 1 where company_id = $1 and month = '2000-01-01'", ten.CompanyID)
			require.NoError(b, err)
		}))
		selects = append(selects, timed(func() {
			var one int
			require.NoError(b, s.Pool().QueryRow(ctx, "select 1").Scan(&one))
		}))
	}
	b.StopTimer()
	c, d := median(chats), median(commits)
	b.ReportMetric(c.Seconds()*1e3, "chat-ms")
	b.ReportMetric(d.Seconds()*1e3, "commit-ms")
	b.ReportMetric(median(selects).Seconds()*1e3, "select1-ms")
	b.ReportMetric((c-d).Seconds()*1e3, "over-commit-ms")
	b.ReportMetric(c.Seconds()/d.Seconds(), "chat/commit")
	b.ReportMetric(percentile(chats, 99).Seconds()/c.Seconds(), "p99/p50")
}

// BenchmarkStream measures what keeping a stream for a reader that is cut off costs it:
// streams that are kept and streams that are not, in interleaved rounds, to their first
// word and to their end.
func BenchmarkStream(b *testing.B) {
	s := dbtest.New(b)
	ten := factory.NewTenant(b, s, factory.TenantOpts{Plan: limits.PlanEnterprise})
	words := fill(b, s, ten, 1000)
	svc := chat.New(chat.Deps{Store: s, Clock: clock.System(), Search: search.New(search.Deps{Store: s, Clock: clock.System()}), Writer: chat.Extractive()})
	ctx := ten.Context(context.WithoutCancel(b.Context()))
	first, whole := map[authn.Kind][]time.Duration{}, map[authn.Kind][]time.Duration{}
	b.ResetTimer()
	for i := range b.N {
		for _, kind := range []authn.Kind{authn.KindKey, authn.KindUser} { // those of users are not kept
			caller := authn.Principal{Kind: kind, CompanyID: ten.CompanyID, Plan: limits.PlanEnterprise, ProjectID: ten.Project.ProjectID}
			began, sink := time.Now(), &transcript{}
			sink.onStart = func() { first[kind] = append(first[kind], time.Since(began)) }
			_, err := svc.Ask(ctx, ten.CompanyID, &ten.Project, caller, chat.Request{Question: question(words, i)}, sink)
			require.NoError(b, err)
			whole[kind] = append(whole[kind], time.Since(began))
		}
	}
	b.StopTimer()
	svc.Wait(ctx)
	for name, times := range map[string]map[authn.Kind][]time.Duration{"first": first, "whole": whole} {
		kept, plain := median(times[authn.KindKey]), median(times[authn.KindUser])
		b.ReportMetric(kept.Seconds()*1e3, name+"-kept-ms")
		b.ReportMetric((kept-plain).Seconds()*1e6, name+"-added-us")
	}
	b.ReportMetric(percentile(whole[authn.KindKey], 99).Seconds()/median(whole[authn.KindKey]).Seconds(), "p99/p50")
}

// BenchmarkClients measures whether the questions of one company wait for each other: as
// many clients ask in one company as in sixteen, in interleaved rounds. The ratio is 1
// where they do not. It needs durable commits, as BenchmarkChat does.
func BenchmarkClients(b *testing.B) {
	const clients, each, companies = 48, 4, 16
	url := os.Getenv("DATABASE_URL")
	if url == "" {
		url = dbtest.URL(b)
	} else {
		require.NoError(b, store.Migrate(b.Context(), url))
	}
	s, err := store.Open(b.Context(), url, store.Options{MaxConns: 32})
	require.NoError(b, err)
	b.Cleanup(s.Close)
	svc := chat.New(chat.Deps{Store: s, Clock: clock.System(), Search: search.New(search.Deps{Store: s, Clock: clock.System()}), Writer: chat.Extractive()})
	tenants := make([]factory.Tenant, companies)
	for i := range tenants {
		tenants[i] = factory.NewTenant(b, s, factory.TenantOpts{Plan: limits.PlanEnterprise})
	}
	round := func(among int) time.Duration {
		return timed(func() {
			var wg sync.WaitGroup
			for client := range clients {
				ten := tenants[client%among]
				caller := authn.Principal{Kind: authn.KindKey, CompanyID: ten.CompanyID, Plan: limits.PlanEnterprise, ProjectID: ten.Project.ProjectID}
				wg.Go(func() {
					for range each {
						_, err := svc.Ask(ten.Context(context.WithoutCancel(b.Context())), ten.CompanyID, &ten.Project, caller, chat.Request{Question: "How long?"}, nil)
						require.NoError(b, err)
					}
				})
			}
			wg.Wait()
		})
	}
	var one, many []time.Duration
	b.ResetTimer()
	for range b.N {
		many, one = append(many, round(companies)), append(one, round(1))
	}
	b.StopTimer()
	b.ReportMetric(clients*each/median(one).Seconds(), "one-chats/s")
	b.ReportMetric(clients*each/median(many).Seconds(), "many-chats/s")
	b.ReportMetric(median(many).Seconds()/median(one).Seconds(), "one/many")
}

// fill indexes n passages of 150 words, of a vocabulary with the frequencies of a
// language, and answers the vocabulary.
func fill(b *testing.B, s *store.Store, ten factory.Tenant, n int) []string {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 4, 8000)
	vocabulary := make([]string, 8001)
	for i := range vocabulary {
		for n := i + 21; n > 0; n /= 21 {
			vocabulary[i] += string("bcdfghjklmnpqrstvwxyz"[n%21]) + string("aeiou"[(n+i)%5])
		}
	}
	for d := range n / 50 {
		pages := make([]string, 50)
		for p := range pages {
			var text strings.Builder
			for w := range 150 {
				word := vocabulary[zipf.Uint64()]
				if w%12 == 0 {
					word = "The " + word
				}
				text.WriteString(word)
				text.WriteString(map[bool]string{true: ". ", false: " "}[w%12 == 11])
			}
			pages[p] = text.String()
		}
		factory.Document(b, s, ten, ten.Project.ProjectID, fmt.Sprintf("document-%d.txt", d), pages...)
	}
	factory.Reindex(b, s, ten, ten.Project.ProjectID, factory.Epoch())
	return vocabulary
}

func question(words []string, i int) string {
	at := func(k int) string { return words[(i*7919+k*104729)%2000] }
	return "How long does " + at(1) + " " + at(2) + " take after " + at(3) + " " + at(4) + " and " + at(5) + "?"
}

func timed(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

func median(all []time.Duration) time.Duration { return percentile(all, 50) }

func percentile(all []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}
