package apperr_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/openapi"
	"docqa/internal/engine/parse"
	"docqa/internal/platform/apperr"
)

const root = "../../.."

// codes are the constants of codes.go.
func codes(t *testing.T) (list []apperr.Code) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if constant, ok := n.(*ast.ValueSpec); ok {
			value, err := strconv.Unquote(constant.Values[0].(*ast.BasicLit).Value) //nolint:forcetypeassert // the test fails if a code is not a literal
			require.NoError(t, err)
			list = append(list, apperr.Code(value))
		}
		return true
	})
	require.NotEmpty(t, list)
	return list
}

func TestCodes_areUnique(t *testing.T) {
	t.Parallel()
	list := codes(t)
	slices.Sort(list)
	require.Len(t, slices.Compact(slices.Clone(list)), len(list))
	for _, code := range list {
		require.Regexp(t, `^[a-z]+(_[a-z]+)*$`, code)
	}
}

func TestCodes_matchTheErrorsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "errors.md"))
	require.NoError(t, err)
	var documented []apperr.Code
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		documented = append(documented, apperr.Code(row[1]))
	}
	require.ElementsMatch(t, documented, codes(t))
}

// A code of the contract is in the example of an error, or in a description after its status.
func TestCodes_includeThoseOfTheContract(t *testing.T) {
	t.Parallel()
	inText := regexp.MustCompile("\\b[45]\\d\\d \\(?`([a-z]+(?:_[a-z]+)+)`")
	var visit func(name string, v any)
	visit = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if code, ok := v["code"].(string); ok && v["error"] != nil && code != "VALIDATION_ERROR" { // the example of a value that was extracted
				require.Contains(t, codes(t), apperr.Code(code), name)
			}
			for _, child := range v {
				visit(name, child)
			}
		case []any:
			for _, child := range v {
				visit(name, child)
			}
		case string:
			for _, found := range inText.FindAllStringSubmatch(v, -1) {
				require.Contains(t, codes(t), apperr.Code(found[1]), "%s: %s", name, v)
			}
		}
	}
	for _, name := range []string{"main.json", "extract.json", "rag.json"} {
		data, err := openapi.Files.ReadFile(name)
		require.NoError(t, err)
		var doc any
		require.NoError(t, json.Unmarshal(data, &doc))
		visit(name, doc)
	}
}

func TestCodes_includeThoseOfTheParsers(t *testing.T) {
	t.Parallel()
	for _, code := range []string{
		parse.CodeUnsupported, parse.CodeFailed, parse.CodePassword, parse.CodePages, parse.CodeTooLong, parse.CodeNoText, parse.CodeTimeout,
	} {
		require.Contains(t, codes(t), apperr.Code(code))
	}
}

// Code of the product may not write an error code as a literal: it must use a constant.
func TestCodes_areUsedAsConstants(t *testing.T) {
	t.Parallel()
	position := map[string]int{"New": 1, "Invalid": 0, "Forbidden": 0, "Conflict": 0}
	for _, folder := range []string{"cmd", "handlers", "internal", "jobs"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				f, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				at, makes := position[f.Sel.Name]
				if from, ok := f.X.(*ast.Ident); !ok || from.Name != "apperr" || !makes || at >= len(call.Args) {
					return true
				}
				if code, ok := call.Args[at].(*ast.BasicLit); ok {
					text, _ := strconv.Unquote(code.Value)
					t.Errorf("%s: the code %q is written out: use a constant of apperr", files.Position(code.Pos()), text)
				}
				return true
			})
			return nil
		}))
	}
}
