// Package mcpapi serves a project's documents to language models as tools, by the Model
// Context Protocol. The credential is an integration key. The contract does not describe
// the tools: messages and results are those of the protocol.
//
// OpenAI's chat completions are an operation of the main API: see mainapi.
package mcpapi
