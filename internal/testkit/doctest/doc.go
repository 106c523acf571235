// Package doctest gives tests a company with a project and the services that work on its
// documents, on a real Postgres and a real S3 server, and documents in every state.
package doctest
