package column

// NullIfEmpty returns a pointer to s, or nil, which is NULL in the database, if s is empty.
func NullIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
