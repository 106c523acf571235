// Package files knows how the files of documents lie in the bucket: their keys and names,
// which sizes and formats are accepted, and the jobs that remove objects.
//
// It writes no document and starts no ingestion. Its invariant: no client can write an
// object whose key OwnKey made, and an object that no document comes to name is removed.
package files
