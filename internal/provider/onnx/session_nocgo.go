//go:build !cgo

package onnx

// Session would run a graph.
type Session struct{}

// Open is ErrNotBuilt.
func Open(string, string, ...string) (*Session, error) { return nil, ErrNotBuilt }

// Close does nothing.
func (*Session) Close() error { return nil }

// Run is ErrNotBuilt.
func (*Session) Run(Batch, func(data []float32, shape []int64) error) error { return ErrNotBuilt }
