// Package limits holds the numbers of the product: plan limits, page sizes, maximum sizes and
// rates. It decides nothing.
//
// Source: main API section 8; docs/decisions.md#rates, #plans, #sizes.
package limits
