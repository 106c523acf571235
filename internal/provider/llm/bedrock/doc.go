// Package bedrock is a client of Amazon Bedrock's ConverseStream: a signed POST that
// is answered with frames of Amazon's event stream.
//
// It knows neither retries nor prompts. Its invariant: an answer is whole only when
// the server said why it stopped.
package bedrock
