package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The largest sizes of hand-written code, so that a reader can see a function at once and a
// package has one purpose. Tests and generated code are not measured.
const (
	maxFunctionLines = 60   // from func to the closing brace
	maxHandlerLines  = 25   // the same for a handler: a method with a context in a handler package
	maxParameters    = 5    // besides the context
	maxPackageLines  = 2500 // with comments
)

func TestSizes(t *testing.T) {
	t.Parallel()
	lines := map[string]int{}
	walkSources(t, func(path string, file *ast.File, set *token.FileSet) {
		folder := filepath.ToSlash(filepath.Dir(path))
		lines[folder] += set.Position(file.FileEnd).Line
		handlers := strings.HasPrefix(folder, "handlers/") && strings.HasSuffix(folder, "api")
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			limit := maxFunctionLines
			if handlers && f.Recv != nil && takesContext(f.Type) {
				limit = maxHandlerLines
			}
			length := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
			if length > limit {
				t.Errorf("%s: %s has %d lines, more than %d", path, f.Name.Name, length, limit)
			}
			if n := parameters(f.Type); n > maxParameters {
				t.Errorf("%s: %s has %d parameters besides the context, more than %d", path, f.Name.Name, n, maxParameters)
			}
		}
	})
	require.NotEmpty(t, lines)
	for folder, n := range lines {
		if n > maxPackageLines {
			t.Errorf("%s has %d lines, more than %d", folder, n, maxPackageLines)
		}
	}
}

// walkSources calls visit with each hand-written Go file of the repository that is not a test.
func walkSources(t *testing.T, visit func(path string, file *ast.File, set *token.FileSet)) {
	t.Helper()
	const root = "../../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || name == "gen" || d.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if !ast.IsGenerated(file) {
			visit(name, file, set)
		}
		return nil
	})
	require.NoError(t, err)
}

// parameters counts the parameters of a function without its context and its testing.TB.
func parameters(f *ast.FuncType) int {
	n := 0
	for _, field := range f.Params.List {
		if isSelector(field.Type, "Context") || isSelector(field.Type, "TB") {
			continue
		}
		n += max(len(field.Names), 1)
	}
	return n
}

func takesContext(f *ast.FuncType) bool {
	return len(f.Params.List) > 0 && isSelector(f.Params.List[0].Type, "Context")
}

func isSelector(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == name
}
