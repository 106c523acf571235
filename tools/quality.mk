# The contract test and the clients' test, included by the top Makefile. Run from the repository's root.
#
#   make schemathesis                                         the published contract against a running instance
#   make schemathesis-docker                                  the same by schemathesis' own image
#   make clients                                              the clients of the OpenAI protocol against a running instance

SCHEMATHESIS       := .tools/schemathesis
SCHEMATHESIS_PINS  := tools/schemathesis/requirements.txt
SCHEMATHESIS_IMAGE := schemathesis/schemathesis:4.32.5

# The environment is created again when the pins change.
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

# It uses the Node of the contract's linter.
$(CLIENTS_SET): $(NODE_SET)
	@tools/python.sh $(CLIENTS) tools/clients/requirements.txt
	cp tools/clients/package.json tools/clients/package-lock.json tools/clients/.npmrc $(CLIENTS)/
	cd $(CLIENTS) && PATH="$(CURDIR)/$(NODE_DIR)/dist/bin:$$PATH" node $(CURDIR)/$(NODE_DIR)/dist/lib/node_modules/npm/bin/npm-cli.js ci --ignore-scripts
	@touch $@

.PHONY: clients
clients: build $(CLIENTS_SET) ## use a running instance by the official clients of the OpenAI protocol
	@tools/clients/run.sh $(CLIENTS)/bin/python $(NODE_DIR)/dist/bin/node $(CLIENTS)
