// Package archtest checks the structure of the code: a package may import only the layers
// below its own. depguard gives better messages; this test also fails for a package without a
// layer in the table, so that somebody must decide where a new package belongs.
package archtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "docqa/"

// The layers. mayImport says what each may import besides its own packages.
const (
	leaf     = "leaf"
	engine   = "engine"
	provider = "provider"
	store    = "store"
	service  = "service"
	args     = "jobargs"
	edge     = "edge"
	dev      = "dev"
	root     = "root"
	test     = "test"
	gen      = "generated"
	eval     = "evaluation" // a module of its own, which no other layer may import
)

// mayImport names the layers below each layer.
func mayImport() map[string][]string {
	services := []string{leaf, engine, provider, store, args, gen, service}
	return map[string][]string{
		leaf:     {leaf},
		gen:      {leaf, gen},
		engine:   {engine},
		args:     {},
		provider: {leaf, engine, provider},
		store:    {leaf, gen},
		service:  services,
		edge:     append([]string{edge}, services...),
		dev:      {leaf, store, dev},
		root:     {leaf, engine, provider, store, args, gen, service, edge, dev, root},
		test:     {leaf, engine, provider, store, args, gen, service, edge, dev, root, test},
		eval:     {leaf, engine, provider, store, args, gen, service, edge, dev, root, eval},
	}
}

// layers gives each package its layer; the longest prefix decides.
func layers() map[string]string {
	table := map[string]string{
		"cmd": root, "internal/apiclient": root, "internal/app": root,
		"eval": eval, "handlers": edge, "jobs": edge, "jobs/jobargs": args,
		"internal/engine": engine, "internal/provider": provider,
		"internal/store": store, "schema": leaf,
		"internal/platform": leaf, "internal/devenv": dev, "internal/testkit": test,
		// Packages of the development environment that run the service or call its API.
		"internal/devenv/dev": root, "internal/devenv/devinfo": root, "internal/devenv/quickstart": root, "internal/devenv/seed": root,
		"gen": gen, "tools": root, "examples": leaf, "openapi": leaf,
	}
	for name := range services() {
		table["internal/"+name] = service
	}
	return table
}

// services lists the services below internal/, each with the services that it may import. A
// new service, and a new import between two services, needs a line here: it is a decision.
func services() map[string][]string {
	return map[string][]string{
		"outbox":          {},
		"conversations":   {},
		"documents/files": {},
		"idempotency":     {},
		"ingest/parsing":  {},
		"planlimit":       {},
		"ratelimit":       {},
		"search":          {},
		"sharetoken":      {},
		"streams":         {},
		"apikeys":         {"outbox", "idempotency", "planlimit"},
		"chat":            {"search", "streams"},
		"documents":       {"outbox", "documents/files", "idempotency", "planlimit"},
		"embedding":       {"search"},
		"ingest":          {"outbox", "documents/files", "ingest/parsing", "planlimit", "search"},
		"projects":        {"outbox", "apikeys", "idempotency", "planlimit"},
		"prompttests":     {"outbox", "chat", "planlimit"},
		"ragservice":      {"outbox", "documents", "documents/files", "idempotency", "ingest", "planlimit", "search"},
		"signin":          {"outbox"},
		"workspace":       {"outbox"},
	}
}

func layerOf(table map[string]string, path string) string {
	for p := path; p != ""; {
		if l, ok := table[p]; ok {
			return l
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return ""
		}
		p = p[:i]
	}
	return ""
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Doc        string
	GoFiles    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	return append(packagesOf(t, ".", module+"..."), packagesOf(t, evalFolder, module+"eval/...")...)
}

// packagesOf lists the packages that match pattern, in the module that dir belongs to.
func packagesOf(t *testing.T, dir, pattern string) []goPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Doc,GoFiles", pattern)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "go list in %s:\n%s", dir, &stderr)
	var list []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return list
		}
		require.NoError(t, err)
		list = append(list, p)
	}
}

func TestLayers(t *testing.T) {
	t.Parallel()
	table, below := layers(), mayImport()
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		layer := layerOf(table, path)
		if layer == "" {
			t.Errorf("%s has no layer: give it a row in the table", path)
			continue
		}
		for _, imported := range p.Imports {
			of, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			if !slices.Contains(below[layer], layerOf(table, of)) {
				t.Errorf("%s (%s) imports %s (%s)", path, layer, of, layerOf(table, of))
			}
		}
	}
}

// TestServiceEdges fails for a service that imports another one without a line in the table,
// and for a line that allows an import that no package makes.
func TestServiceEdges(t *testing.T) {
	t.Parallel()
	allowed, made := services(), map[string]bool{}
	for _, p := range packages(t) {
		from, ours := strings.CutPrefix(p.ImportPath, module+"internal/")
		if !ours || layerOf(layers(), "internal/"+from) != service {
			continue
		}
		if _, ok := allowed[from]; !ok {
			t.Errorf("the service %s has no row in services()", from)
		}
		for _, imported := range p.Imports {
			to, ours := strings.CutPrefix(imported, module+"internal/")
			if !ours || layerOf(layers(), "internal/"+to) != service {
				continue
			}
			made[from+" → "+to] = true
			if !slices.Contains(allowed[from], to) {
				t.Errorf("the service %s imports the service %s: its row in services() does not allow that", from, to)
			}
		}
	}
	for from, list := range allowed {
		for _, to := range list {
			require.Contains(t, allowed, to, "%s may import %s, which is no service", from, to)
			require.True(t, made[from+" → "+to], "%s may import %s and does not: remove it from the row", from, to)
		}
	}
}

// TestServicesHaveNoCycles: Go refuses import cycles between existing packages. The table must
// not allow a cycle either, because a later change could add the missing imports.
func TestServicesHaveNoCycles(t *testing.T) {
	t.Parallel()
	allowed := services()
	done := map[string]bool{}
	var visit func(name string, path []string)
	visit = func(name string, path []string) {
		require.NotContains(t, path, name, "a cycle of services: %v", append(path, name))
		if done[name] {
			return
		}
		for _, to := range allowed[name] {
			visit(to, append(slices.Clone(path), name))
		}
		done[name] = true
	}
	for name := range allowed {
		visit(name, nil)
	}
}

func TestLayersKnowOnlyPackagesThatExist(t *testing.T) {
	t.Parallel()
	allowed := mayImport()
	for _, l := range slices.Collect(maps.Values(layers())) {
		require.Contains(t, allowed, l)
	}
}

func TestEveryPackageHasADocComment(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasPrefix(path, "gen/") || len(p.GoFiles) == 0 {
			continue
		}
		require.NotEmpty(t, p.Doc, "%s has no package comment", path)
	}
}
