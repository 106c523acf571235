package lab

import "docqa/internal/engine/sentence"

// statements cuts a chunk's text into what has a vector of its own.
func statements(text string) []sentence.Span { return sentence.Split(text) }
