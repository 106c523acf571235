// Package dev is `docqa dev`: it runs Postgres, object storage, an identity provider, a mail
// sink and the service in one process tree on loopback, makes the example companies, and
// leaves dev.json for scripts. The service is built as for production, by internal/app.
//
// It is not for production. Everything that it starts ends with it.
package dev
