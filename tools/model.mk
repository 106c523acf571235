# The embedding model, included by the top Makefile. Run from the repository's root.
#
#   make model                 the default model and ONNX Runtime into .data, once
#   make model FROM=<folder>   another sentence-transformers folder of the BERT family

.PHONY: model
model: ## the embedding model and its runtime: [FROM=<sentence-transformers folder>]
	@tools/model/install.sh .data .tools/model $(if $(FROM),"$(FROM)")
