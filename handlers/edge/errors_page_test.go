package edge

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/openapi"
	"docqa/internal/platform/apperr"
)

const root = "../.."

// statuses are the statuses of each code.
type statuses map[string]map[int]bool

func (s statuses) add(code string, status int) {
	if s[code] == nil {
		s[code] = map[int]bool{}
	}
	s[code][status] = true
}

// TestErrorsPage_statuses compares the statuses of docs/errors.md with those that the contract names and those that
// the product's errors get. A code that neither of them uses yet is not compared.
func TestErrorsPage_statuses(t *testing.T) {
	t.Parallel()
	answered, want := pageStatuses(t), statuses{}
	contractStatuses(t, want)
	productStatuses(t, want)
	for code, got := range answered {
		if want[code] != nil {
			require.Equal(t, want[code], got, code)
		}
	}
}

// pageStatuses reads the page. It leaves out the codes that are no answer of an operation: they have no status.
func pageStatuses(t *testing.T) statuses {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "errors.md"))
	require.NoError(t, err)
	list := statuses{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([0-9, ]+) \\|").FindAllStringSubmatch(string(page), -1) {
		for text := range strings.SplitSeq(row[2], ",") {
			status, err := strconv.Atoi(strings.TrimSpace(text))
			require.NoError(t, err, row[0])
			list.add(row[1], status)
		}
	}
	require.NotEmpty(t, list)
	return list
}

// contractStatuses reads the examples of errors and the codes that a description names after their status.
func contractStatuses(t *testing.T, list statuses) {
	t.Helper()
	inText := regexp.MustCompile("\\b([45]\\d\\d) \\(?`([a-z]+(?:_[a-z]+)+)`")
	for _, name := range []string{"main.json", "extract.json", "rag.json"} {
		data, err := openapi.Files.ReadFile(name)
		require.NoError(t, err)
		for _, found := range inText.FindAllStringSubmatch(string(data), -1) {
			status, err := strconv.Atoi(found[1])
			require.NoError(t, err)
			list.add(found[2], status)
		}
		var doc struct {
			Paths      map[string]map[string]json.RawMessage
			Components struct{ Responses map[string]any }
		}
		require.NoError(t, json.Unmarshal(data, &doc))
		for _, methods := range doc.Paths {
			for _, raw := range methods {
				var operation struct{ Responses map[string]map[string]any }
				if json.Unmarshal(raw, &operation) != nil {
					continue // not an operation: the parameters of a path
				}
				for text, response := range operation.Responses {
					status, err := strconv.Atoi(text)
					if err != nil || status < 400 {
						continue
					}
					var whole any = response
					if ref, ok := response["$ref"].(string); ok {
						whole = doc.Components.Responses[ref[strings.LastIndex(ref, "/")+1:]]
					}
					exampleStatuses(whole, status, list)
				}
			}
		}
	}
}

func exampleStatuses(v any, status int, list statuses) {
	switch v := v.(type) {
	case map[string]any:
		if code, ok := v["code"].(string); ok && v["error"] != nil {
			list.add(code, status)
		}
		for _, child := range v {
			exampleStatuses(child, status, list)
		}
	case []any:
		for _, child := range v {
			exampleStatuses(child, status, list)
		}
	}
}

// productStatuses reads the calls that make an error of a kind and a code.
func productStatuses(t *testing.T, list statuses) {
	t.Helper()
	kinds, codes := constants(t)
	made := map[string]apperr.Kind{"Invalid": apperr.KindInvalidInput, "Forbidden": apperr.KindForbidden, "Conflict": apperr.KindConflict}
	for _, folder := range []string{"handlers", "internal"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) < 2 {
					return true
				}
				kind, ok := made[constantName(call.Fun)]
				code, known := codes[constantName(call.Args[0])]
				if constantName(call.Fun) == "New" {
					kind, ok = kinds[constantName(call.Args[0])]
					code, known = codes[constantName(call.Args[1])]
				}
				if ok && known {
					list.add(code, Status(kind))
				}
				return true
			})
			return nil
		}))
	}
}

// constantName returns the name of an identifier of apperr, inside the package or outside of it; else "".
func constantName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if from, ok := e.X.(*ast.Ident); ok && from.Name == "apperr" {
			return e.Sel.Name
		}
	}
	return ""
}

// constants reads the names of the kinds, in their order, and of the codes.
func constants(t *testing.T) (kinds map[string]apperr.Kind, codes map[string]string) {
	t.Helper()
	kinds, codes = map[string]apperr.Kind{}, map[string]string{}
	for _, name := range []string{"apperr.go", "codes.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "internal/platform/apperr", name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			switch {
			case !ok:
			case strings.HasPrefix(spec.Names[0].Name, "Kind"):
				kinds[spec.Names[0].Name] = apperr.Kind(len(kinds))
			case len(spec.Values) == 1:
				if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
					value, err := strconv.Unquote(literal.Value)
					require.NoError(t, err)
					codes[spec.Names[0].Name] = value
				}
			}
			return true
		})
	}
	require.Len(t, kinds, int(apperr.KindTimeout)+1)
	return kinds, codes
}
