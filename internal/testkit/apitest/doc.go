// Package apitest runs the real edge over HTTP for tests: the handlers, the services
// and a Postgres of the test's own, with an identity provider on loopback that signs
// whatever token a test asks for.
//
// Every answer is held against the published contract: a status that it does not list
// for the operation fails the test, and Cover fails one that leaves a listed status
// out. Only what is outside the service is stood in for.
package apitest
