// Command specprep turns the hand-written contract into the forms that machines read.
//
//	specprep publish SOURCE OUT     one self-contained YAML and JSON file per API, as partners read it
//	specprep generator SOURCE OUT   one YAML file per API, as the server generator reads it
//	specprep operations SOURCE OUT  the Go table of what the contract states of every operation beside its types
//
// SOURCE holds main.yaml, extract.yaml, rag.yaml, common.yaml and
// not_implemented.txt. The published form lists every status of an operation
// and the headers that the middleware sets; the generator's form folds the
// shared errors into one default response, so that handlers return one result
// and an error. The output is the same for the same input.
package main
