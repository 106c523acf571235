// Package markdown reads Markdown (CommonMark with tables).
//
// The extracted text is the source as it stands, so that a citation can be found in
// the file; blocks point into it.
package markdown
