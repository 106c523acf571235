// Package optional converts between values and pointers that are nil if there is no value.
// It does not decide what an absent value means: its callers do.
package optional

// Deref returns *p, or the zero value if p is nil.
func Deref[T any](p *T) (v T) {
	if p != nil {
		return *p
	}
	return v
}
