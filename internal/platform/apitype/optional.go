package apitype

// Pointer turns the result of an optional member's Get into a pointer; nil if it is not set.
func Pointer[T any](v T, set bool) *T {
	if !set {
		return nil
	}
	return &v
}
