# The module eval/, included by the top Makefile: measurements and learning. Run from the repository's root.
#
#   make eval DATA=<folder> [SETS=a,b] [LIMIT=n] [OUT=file]   quality of search, answers, refusals and citations
#   make learn DATA=<folder> [OUT=folder] [ONLY=ranking]      trains the learned models and tests them on other data
#   make bench [ONLY=P1,P6] [DATA=<folder>] [OUT=file]        speed and size, compared with other products
#   make bench-peers                                          installs those products
#   make test-eval                                            the module's own tests
#
# eval, learn and bench use the embedding model that `make model` installed. MODEL= without a value means keywords only.

MODEL ?= $(firstword $(wildcard .data/models/*))

# The programs run in the repository's root, so that folders are given relative to it: `go run -C eval` would run them in eval/.
bin/eval bin/learn bin/bench: FORCE
	@mkdir -p bin
	@$(CGO) go build -C eval -o ../$@ ./cmd/$(@F)

.PHONY: FORCE
FORCE:

.PHONY: eval
eval: build bin/eval ## measure the quality on a folder of evaluation data: DATA=<folder> [SETS=a,b] [LIMIT=n] [OUT=file]
	@test -n "$(DATA)" || { echo "name the folder of the evaluation data: make eval DATA=<folder>"; exit 2; }
	@bin/eval --data "$(DATA)" $(if $(MODEL),--model "$(MODEL)") $(if $(SETS),--sets "$(SETS)") $(if $(LIMIT),--limit "$(LIMIT)") \
	  $(if $(OUT),--out "$(OUT)")

.PHONY: learn
learn: bin/learn ## train the ranking and answer models on evaluation data: DATA=<folder> [SETS=a,b] [OUT=folder] [ONLY=ranking|answers]
	@test -n "$(DATA)" || { echo "name the folder of the evaluation data: make learn DATA=<folder>"; exit 2; }
	@bin/learn --data "$(DATA)" --commit "$(VERSION)" --model "$(or $(MODEL),none)" $(if $(SETS),--sets "$(SETS)") $(if $(OUT),--out "$(OUT)") \
	  $(if $(ONLY),--only "$(ONLY)")

# bench measures an installed copy: the pages of a file that the linker has just written count to the memory of its process, and
# those of a copied file do not.
.PHONY: bench
bench: build bin/bench ## measure the speed and the size: [ONLY=P1,P6] [DATA=<folder>] [CHUNKS=n] [OUT=file]
	@install -D bin/docqa bin/installed/docqa
	@bin/bench --binary bin/installed/docqa $(if $(MODEL),--model "$(MODEL)") $(if $(DATA),--data "$(DATA)") $(if $(ONLY),--only "$(ONLY)") \
	  $(if $(CHUNKS),--chunks "$(CHUNKS)") $(if $(OUT),--out "$(OUT)")

.PHONY: bench-peers
bench-peers: ## install the products that make bench compares with into .tools/bench: [PEERS="litellm lucene"]
	@eval/peers/peers.sh .tools/bench $(PEERS)

.PHONY: test-eval
test-eval: setup ## tests of the evaluation, which is a module of its own
	go test -C eval -timeout 15m ./...
