package archtest_test

import (
	"strings"
	"testing"
)

// TestHandlers_importTheEdgeAlone: the package of an API may import handlers/edge but no other
// API; the edge imports none of them.
func TestHandlers_importTheEdgeAlone(t *testing.T) {
	t.Parallel()
	const handlers, edge = module + "handlers/", module + "handlers/edge"
	for _, p := range packagesOf(t, ".", module+"handlers/...") {
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, handlers) && (imported != edge || p.ImportPath == edge) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}
