// Package optional converts between values and pointers that are nil if there is no value. The
// caller decides what an absent value means.
package optional

// Deref returns *p, or the zero value if p is nil.
func Deref[T any](p *T) (v T) {
	if p != nil {
		return *p
	}
	return v
}
