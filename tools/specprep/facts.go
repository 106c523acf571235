package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The facts of an operation, as extensions. The published documents do not have them.
const (
	accessFlag     = "x-access"
	rateFlag       = "x-rate"
	idempotentFlag = "x-idempotent"
	slowFlag       = "x-slow"

	idempotencyKey = "Idempotency-Key"
)

func isFact(key string) bool {
	return slices.Contains([]string{accessFlag, rateFlag, idempotentFlag, slowFlag}, key)
}

// accesses are the values of x-access, with their names in Go.
func accesses() map[string]string {
	return map[string]string{"public": "Public", "browser": "Browser", "key": "Key", "user": "User", "provider": "Provider"}
}

// rateClasses are the classes that x-rate may name, with their names in internal/platform/limits.
func rateClasses() map[string]string {
	return map[string]string{
		"public_read": "RatePublicRead", "share_bootstrap": "RateShareBootstrap", "codehost_token": "RateCodeHostToken",
		"feedback": "RateFeedback", "key_chat": "RateKeyChat", "key_other": "RateKeyOther",
		"dashboard_read": "RateDashboardRead", "dashboard_write": "RateDashboardWrite", "upload": "RateUpload",
		"upload_confirm": "RateUploadConfirm", "crawl": "RateCrawl", "connector_sync": "RateConnectorSync", "test_run": "RateTestRun",
		"deploy": "RateDeploy", "export": "RateExport", "invite": "RateInvite", "rag": "RateRag", "provider_webhooks": "RateProviderWebhooks",
	}
}

// subjects are what x-rate may count by, with their names in Go.
func subjects() map[string]string {
	return map[string]string{
		"address": "ByAddress", "key": "ByKey", "user": "ByUser", "company": "ByCompany", "project": "ByProject", "source": "BySource",
		"provider": "ByProvider",
	}
}

// facts are what the contract states about one operation beside its types.
type facts struct {
	id, api    string
	access     string
	class, by  string // empty: no rate
	idempotent bool
	slow       bool
	streams    bool
}

// readFacts reads and checks the facts of every operation of every API, sorted by operation.
func readFacts(docs map[string]*document) ([]facts, error) {
	var list []facts
	var errs []error
	for _, api := range apis() {
		docs[api].operations(func(op *yaml.Node) {
			f, err := docs[api].factsOf(op)
			f.api = api
			list = append(list, f)
			errs = append(errs, err)
		})
	}
	slices.SortFunc(list, func(a, b facts) int { return strings.Compare(a.id, b.id) })
	for i := 1; i < len(list); i++ {
		if list[i].id == list[i-1].id {
			errs = append(errs, fmt.Errorf("%s: two operations have this operationId", list[i].id))
		}
	}
	return list, errors.Join(errs...)
}

func (d *document) factsOf(op *yaml.Node) (facts, error) {
	id := get(op, "operationId")
	if id == nil {
		return facts{}, errors.New("an operation has no operationId")
	}
	f := facts{id: id.Value, streams: hasStream(op)}
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(f.id+": "+format, args...)) }
	switch access := get(op, accessFlag); {
	case access == nil:
		fail("%s is missing: one of %s", accessFlag, names(accesses()))
	case accesses()[access.Value] == "":
		fail("%s is %q: use one of %s", accessFlag, access.Value, names(accesses()))
	default:
		f.access = access.Value
	}
	switch rate := get(op, rateFlag); {
	case rate == nil:
		fail("%s is missing: {class: …, by: …} or none", rateFlag)
	case rate.Kind == yaml.ScalarNode && rate.Value == "none":
	default:
		f.class, f.by = scalar(rate, "class"), scalar(rate, "by")
		if rateClasses()[f.class] == "" {
			fail("%s has the class %q: use one of %s", rateFlag, f.class, names(rateClasses()))
		}
		if subjects()[f.by] == "" {
			fail("%s counts by %q: use one of %s", rateFlag, f.by, names(subjects()))
		}
	}
	var err error
	if f.idempotent, err = flag(op, idempotentFlag); err != nil {
		fail("%w", err)
	}
	if f.slow, err = flag(op, slowFlag); err != nil {
		fail("%w", err)
	}
	if d.takesIdempotencyKey(op) != f.idempotent {
		fail("%s and the parameter %s must stand together", idempotentFlag, idempotencyKey)
	}
	return f, errors.Join(errs...)
}

// flag reads an extension that is true or absent.
func flag(op *yaml.Node, key string) (bool, error) {
	switch n := get(op, key); {
	case n == nil:
		return false, nil
	case n.Kind == yaml.ScalarNode && n.Value == "true":
		return true, nil
	default:
		return false, fmt.Errorf("%s is %q: write true, or leave it out", key, n.Value)
	}
}

func scalar(n *yaml.Node, key string) string {
	if v := get(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

func (d *document) takesIdempotencyKey(op *yaml.Node) bool {
	for _, p := range children(get(op, "parameters")) {
		if name, ok := strings.CutPrefix(refOf(p), localPrefix+"parameters/"); ok {
			p = get(d.root, "components", "parameters", name)
		}
		if scalar(p, "name") == idempotencyKey {
			return true
		}
	}
	return false
}

// hasStream tells whether the operation may answer with an event stream.
func hasStream(op *yaml.Node) bool {
	responses := get(op, "responses")
	for i := 0; i < len(children(responses)); i += 2 {
		if get(responses.Content[i+1], "content", eventStream) != nil {
			return true
		}
	}
	return false
}

func names[V any](set map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}

// writeFacts writes the Go table of the facts.
func writeFacts(docs map[string]*document, out string) error {
	list, err := readFacts(docs)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(factsHead)
	for _, f := range list {
		fmt.Fprintf(&b, "\tcase %q:\n\t\treturn Operation{ID: id, API: %q, Access: %s", f.id, f.api, accesses()[f.access])
		if f.class != "" {
			fmt.Fprintf(&b, ", Rate: limits.%s, By: %s", rateClasses()[f.class], subjects()[f.by])
		}
		writeFlags(&b, f)
		b.WriteString("}, true\n")
	}
	b.WriteString("\t}\n\treturn Operation{}, false\n}\n\n// IDs lists every operation, sorted.\nfunc IDs() []string {\n\treturn []string{\n")
	for _, f := range list {
		fmt.Fprintf(&b, "\t\t%q,\n", f.id)
	}
	b.WriteString("\t}\n}\n")
	source, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("format the table: %w", err)
	}
	return writeFile(filepath.Join(out, "operations.go"), source)
}

func writeFlags(b *bytes.Buffer, f facts) {
	if f.idempotent {
		b.WriteString(", Idempotent: true")
	}
	if f.slow {
		b.WriteString(", Slow: true")
	}
	if f.streams {
		b.WriteString(", Streams: true")
	}
}

const factsHead = `// Code generated by specprep. DO NOT EDIT.

// Package operations is the table of the contract's operations: who may call each, by
// which rate it is limited, and how it answers. The contract states it (x-access,
// x-rate, x-idempotent, x-slow).
package operations

import "docqa/internal/platform/limits"

// Access says whose credentials an operation takes.
type Access string

// The kinds of access.
const (
	Public   Access = "public"   // no credential is asked for
	Browser  Access = "browser"  // keys, and what browsers hold: embed keys and share tokens
	Key      Access = "key"      // integration keys; in the retrieval API its service key
	User     Access = "user"     // a signed-in person
	Provider Access = "provider" // an outside provider, who signs its calls
)

// By is what a rate counts by.
type By string

// What a rate may count by.
const (
	ByAddress  By = "address"
	ByKey      By = "key"
	ByUser     By = "user"
	ByCompany  By = "company"
	ByProject  By = "project"
	BySource   By = "source" // company and path
	ByProvider By = "provider"
)

// Operation is one operation of the contract.
type Operation struct {
	ID         string // its operationId
	API        string // main, extract or rag
	Access     Access
	Rate       limits.RateName // empty: no limit
	By         By
	Idempotent bool // takes Idempotency-Key
	Slow       bool // waits for models, copies files, or asks the storage for each of many
	Streams    bool // may answer with an event stream
}

// Find returns the operation of an operationId.
func Find(id string) (Operation, bool) {
	switch id {
`
