package archtest_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// evalFolder is the folder of the module docqa/eval, relative to this package.
const evalFolder = "../../../eval"

// requirements returns the version of each module that the go.mod in folder requires.
func requirements(t *testing.T, folder string) map[string]string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", filepath.Join(folder, "go.mod")).Output()
	require.NoError(t, err)
	var file struct {
		Require []struct{ Path, Version string }
	}
	require.NoError(t, json.Unmarshal(out, &file))
	versions := make(map[string]string, len(file.Require))
	for _, r := range file.Require {
		versions[r.Path] = r.Version
	}
	return versions
}

func TestEvaluationUsesTheVersionsOfTheProduct(t *testing.T) {
	t.Parallel()
	product := requirements(t, "../../..")
	for path, version := range requirements(t, evalFolder) {
		if wanted, shared := product[path]; shared {
			require.Equal(t, wanted, version, "eval/go.mod requires another version of %s than go.mod: run go mod tidy in eval/", path)
		}
	}
}

func TestProductDoesNotRequireTheEvaluation(t *testing.T) {
	t.Parallel()
	require.NotContains(t, requirements(t, "../../.."), module+"eval")
}

func TestEvaluationKnowsTheModulesOfTheProduct(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}}", module+"eval/...")
	cmd.Dir = evalFolder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "the product imports a module that eval/go.mod or eval/go.sum lacks: run go mod tidy in eval/\n%s", out)
}
