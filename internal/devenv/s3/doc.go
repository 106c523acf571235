// Package s3 runs the development object storage: an S3 server that keeps its
// objects as files, so that dev and tests speak what production speaks.
//
// The server changes the working folder and keeps package-level state, so it runs
// in a child process (Child) that ends with its parent (Start). Nothing is synced
// to disk before it is acknowledged: it is no store for production.
package s3
