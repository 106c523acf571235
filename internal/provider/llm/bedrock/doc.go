// Package bedrock is a client of Amazon Bedrock's ConverseStream: a signed POST whose answer
// is frames of Amazon's event stream.
//
// It knows neither retries nor prompts. Its invariant: an answer is complete only if the
// server said why it stopped.
package bedrock
