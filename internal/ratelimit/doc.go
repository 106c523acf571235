// Package ratelimit counts requests against rates, exactly, over any number of processes. A
// bucket is a row in Postgres; one statement (GCRA) counts a request and checks the rate.
//
// It knows neither HTTP nor the caller: the edge names the bucket and answers a refused request.
// The rates are in internal/platform/limits.
package ratelimit
