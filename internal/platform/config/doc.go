// Package config reads the settings of the service from environment variables and
// says what is wrong with them, one line each.
//
// It is the only place that reads the environment. If a secret of an optional feature is
// missing, the feature is off: its operations answer 503 not_configured. There are no default
// secrets outside `docqa dev`.
package config
