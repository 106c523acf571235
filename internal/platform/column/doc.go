// Package column holds the types of JSON columns: project settings, the widget's display,
// custom lead fields, the sources of a message.
//
// It knows nothing of HTTP: handlers convert to and from the contract's types.
// Reading is lenient (unknown members are ignored, absent ones take the default),
// so that a newer version's rows stay readable.
package column
