// Package ratelimit counts requests against rates, exactly, over any number of
// processes: one row a bucket in Postgres, taken and judged in one statement (GCRA).
//
// It knows neither HTTP nor who calls: the edge names the bucket, and decides what a
// refusal looks like. The numbers stand in internal/platform/limits.
package ratelimit
