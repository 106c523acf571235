// Package provenance says what the learned models of the service were trained on, so that figures of data that a model has seen are not
// reported as if they were of new data.
package provenance
