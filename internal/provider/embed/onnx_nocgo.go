//go:build !cgo

package embed

import "errors"

func openRunner(string, string) (runner, error) {
	return nil, errors.New("this program was built without cgo, which a model in the process needs: build it with CGO_ENABLED=1")
}
