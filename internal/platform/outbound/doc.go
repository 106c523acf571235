// Package outbound makes requests to addresses that customers name: webhooks, crawled pages,
// connected services.
//
// Its invariant: no connection reaches a loopback, private, link-local, multicast, reserved or
// metadata address, whatever name, notation or later DNS answer leads there, unless the
// operator allowed its network. Calls follow no redirect. Reading a page follows a few
// redirects and checks each like the first address.
//
// Source: main API section 6 rule 1; docs/decisions.md#outbound-addresses.
package outbound
