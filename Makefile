# Document Q&A Service. `make help` lists what there is.

.DEFAULT_GOAL := help
SHELL         := /bin/bash
export GOFLAGS ?= -trimpath -mod=readonly
# setup.sh unpacks programs there that it may not install.
export PATH := $(CURDIR)/.pg/bin:$(PATH)
# With a C compiler, the service can run embedding models itself. This is evaluated when it is used, since setup.sh may install one.
CGO = $(shell tools/cgo.sh)

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X docqa/internal/app.version=$(VERSION)

include tools/gen.mk
-include tools/quality.mk
include tools/eval.mk
include tools/model.mk

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z][a-z/-]*:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

.PHONY: setup
setup: ## install what is missing: Postgres with pgvector, pdftotext; a C compiler and Python for the embedding model
	@tools/setup.sh

.PHONY: build
build: ## bin/docqa
	@mkdir -p bin
	$(CGO) go build -ldflags '$(LDFLAGS)' -o bin/docqa ./cmd/docqa

.PHONY: run
run: setup build ## start everything on this machine and do the quickstart once
	@[ -n "$$EMBEDDINGS" ] || tools/model/install.sh .data .tools/model || echo "model: it could not be installed: search uses keywords only"
	bin/docqa dev --quickstart $(if $(DOCQA_NONINTERACTIVE),--once)

.PHONY: test
test: setup lint drift lint-spec model test-go test-eval schemathesis clients ## everything that CI runs

.PHONY: test-go
test-go: setup model ## unit, service and API tests on a real Postgres and S3
	go test -timeout 30m ./...

# Tests that kill or stop processes in the middle of their work, or run one for minutes. They have a build tag, so that test-go
# does not run them; the linter compiles them.
KILL_TESTS := ^Test(Kill9|Memory_|Serve_StopsWithOpenStreams|Serve_RollingRestart|Migrate_RolesOnly)

.PHONY: test-kill
test-kill: setup model ## the slow tests: processes that are killed, stopped or restored
	go test -tags kill -timeout 20m -run '$(KILL_TESTS)' ./jobs ./cmd/docqa

.PHONY: test-race
test-race: ## the tests of both modules under the race detector, without the packages of generated code
	go test -race -timeout 60m $$(go list ./... | grep -v /gen/)
	go test -C eval -race -timeout 60m ./...

.PHONY: lint
lint: $(call tool,golangci-lint) ## golangci-lint, in both modules
	$(TOOLS_BIN)/golangci-lint run --allow-parallel-runners
	cd eval && $(CURDIR)/$(TOOLS_BIN)/golangci-lint run --allow-parallel-runners

.PHONY: clean
clean: ## delete what was built; .data and .pg stay
	rm -rf bin .tools
