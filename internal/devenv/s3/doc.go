// Package s3 runs the development object storage: an S3 server that stores its objects as
// files, so that docqa dev and tests use the same protocol as production.
//
// The server changes the working folder and has package-level state, so it runs in a
// child process (Child) that ends with its parent (Start). It acknowledges a write before
// the data is synced to disk, so it is not for production.
package s3
