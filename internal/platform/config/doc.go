// Package config reads the settings of the service from environment variables and
// says what is wrong with them, one line each.
//
// It is the only place that reads the environment. A missing secret of an optional
// part switches that part off (its operations answer 503 not_configured); there are
// no default secrets outside `docqa dev`.
package config
