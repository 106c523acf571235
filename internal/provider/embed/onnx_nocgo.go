//go:build !cgo

package embed

func openRunner(string, string) (runner, error) {
	return nil, ErrNotBuilt
}
