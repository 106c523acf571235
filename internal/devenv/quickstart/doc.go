// Package quickstart does the product's main job once and shows each step: it signs in,
// uploads the example documents to a project, waits until they are indexed and asks questions
// about them. It uses only the public API. It may run any number of times: documents that
// exist are not uploaded again.
package quickstart
