// Package apitest runs the service over HTTP for tests: the handlers, the services and a
// Postgres database of the test's own, with an identity provider on loopback that signs every
// token that a test asks for.
//
// Every answer is compared with the published contract. A status that the contract does not
// list for the operation fails the test, and Cover fails a test that leaves out a listed
// status. Only systems outside of the service are replaced.
package apitest
