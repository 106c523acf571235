package apitype

// Pointer turns what an optional member's Get returns into a pointer; nil where unset.
func Pointer[T any](v T, set bool) *T {
	if !set {
		return nil
	}
	return &v
}
