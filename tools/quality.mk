# Measurements and the contract test, included by the top Makefile. Run from the repository's root.
#
#   make eval DATA=<folder> [SETS=a,b] [LIMIT=n] [OUT=file]   quality of search, answers, refusals and citations
#   make learn DATA=<folder> [OUT=folder] [ONLY=ranking]      fits what is learned, and judges it on other data
#   make bench [ONLY=P1,P6] [DATA=<folder>] [OUT=file]        speed and size, beside what the service is compared with
#   make bench-peers                                          installs what that is
#   make schemathesis                                         the published contract against a running instance
#   make schemathesis-docker                                  the same by schemathesis' own image
#   make clients                                              the clients of the OpenAI protocol against a running instance
#
# eval, learn and bench take the embedding model that `make model` installed; MODEL= without a value: keywords alone.

SCHEMATHESIS       := .tools/schemathesis
SCHEMATHESIS_PINS  := tools/schemathesis/requirements.txt
SCHEMATHESIS_IMAGE := schemathesis/schemathesis:4.32.5

MODEL ?= $(firstword $(wildcard .data/models/*))

.PHONY: eval
eval: build ## measure the quality on a folder of evaluation data: DATA=<folder> [SETS=a,b] [LIMIT=n] [OUT=file]
	@test -n "$(DATA)" || { echo "say where the evaluation data is: make eval DATA=<folder>"; exit 2; }
	@go run ./cmd/eval --data "$(DATA)" $(if $(MODEL),--model "$(MODEL)") $(if $(SETS),--sets "$(SETS)") $(if $(LIMIT),--limit "$(LIMIT)") \
	  $(if $(OUT),--out "$(OUT)")

.PHONY: learn
learn: ## fit the order of passages and the answers to evaluation data: DATA=<folder> [SETS=a,b] [OUT=folder] [ONLY=ranking|answers]
	@test -n "$(DATA)" || { echo "say where the evaluation data is: make learn DATA=<folder>"; exit 2; }
	@go run ./cmd/learn --data "$(DATA)" --model "$(or $(MODEL),none)" $(if $(SETS),--sets "$(SETS)") $(if $(OUT),--out "$(OUT)") \
	  $(if $(ONLY),--only "$(ONLY)")

.PHONY: bench
bench: build ## measure the speed and the size: [ONLY=P1,P6] [DATA=<folder>] [CHUNKS=n] [OUT=file]
	@go run ./cmd/bench $(if $(MODEL),--model "$(MODEL)") $(if $(DATA),--data "$(DATA)") $(if $(ONLY),--only "$(ONLY)") \
	  $(if $(CHUNKS),--chunks "$(CHUNKS)") $(if $(OUT),--out "$(OUT)")

.PHONY: bench-peers
bench-peers: ## install what the service is measured beside into .tools/bench: [PEERS="litellm lucene"]
	@tools/bench/peers.sh .tools/bench $(PEERS)

# The environment is made once for each state of the pins.
$(SCHEMATHESIS)/.made: $(SCHEMATHESIS_PINS)
	@tools/python.sh $(SCHEMATHESIS) $(SCHEMATHESIS_PINS)
	@touch $@

.PHONY: schemathesis
schemathesis: build $(SCHEMATHESIS)/.made ## test the contract against a running instance
	@tools/schemathesis/run.sh $(SCHEMATHESIS)/bin/python $(SCHEMATHESIS)/bin/schemathesis

.PHONY: schemathesis-docker
schemathesis-docker: build ## the same by schemathesis' own image
	@tools/schemathesis/run.sh python3 docker run --rm --network host --volume "$(CURDIR):$(CURDIR):ro" --volume /tmp:/tmp \
	  --workdir /tmp $(SCHEMATHESIS_IMAGE)

CLIENTS     := .tools/clients
CLIENTS_KEY := $(shell cat tools/clients/requirements.txt tools/clients/package-lock.json tools/node/requirements.txt | sha256sum | cut -c1-12)
CLIENTS_SET := $(CLIENTS)/.$(CLIENTS_KEY)

# The Node is that of the linter of the contract.
$(CLIENTS_SET): $(NODE_SET)
	@tools/python.sh $(CLIENTS) tools/clients/requirements.txt
	cp tools/clients/package.json tools/clients/package-lock.json tools/clients/.npmrc $(CLIENTS)/
	cd $(CLIENTS) && PATH="$(CURDIR)/$(NODE_DIR)/dist/bin:$$PATH" node $(CURDIR)/$(NODE_DIR)/dist/lib/node_modules/npm/bin/npm-cli.js ci --ignore-scripts
	@touch $@

.PHONY: clients
clients: build $(CLIENTS_SET) ## use a running instance by the official clients of the OpenAI protocol
	@tools/clients/run.sh $(CLIENTS)/bin/python $(NODE_DIR)/dist/bin/node $(CLIENTS)
