// Package limits holds the numbers of the product: plan limits, page sizes, caps
// and rates. It decides nothing.
//
// Source: main API section 8; gaps section 7 for those the seeds leave open.
package limits
