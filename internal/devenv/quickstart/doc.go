// Package quickstart does the product's main job once, visibly: it signs in, brings
// the example documents into a project, waits until they are indexed and asks about
// them. It is a client of the public API and of nothing else, and it may be run any
// number of times: what is there already is used as it is.
package quickstart
