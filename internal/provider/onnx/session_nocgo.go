//go:build !cgo

package onnx

// Session cannot be made in a program without cgo.
type Session struct{}

// Open returns ErrNotBuilt.
func Open(string, string, ...string) (*Session, error) { return nil, ErrNotBuilt }

// Close does nothing.
func (*Session) Close() error { return nil }

// Run returns ErrNotBuilt.
func (*Session) Run(Batch, func(data []float32, shape []int64) error) error { return ErrNotBuilt }
