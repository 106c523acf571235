// Package mcpapi serves a project's documents to language models as tools, by the Model
// Context Protocol. The credential is an integration key. It stands beside the contract:
// messages and results are those of the protocol.
//
// OpenAI's chat completions are an operation of the main API: see mainapi.
package mcpapi
