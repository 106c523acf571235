// Package lexical turns text into the weighted terms of BM25: one tokenizer for
// documents and questions, stemming by language, terms hashed to vector indices.
//
// It stores and searches nothing: the inner product of a question's terms with a
// passage's terms is the BM25 score. Its invariant: equal text in equal language
// gives equal terms on every machine and in every release that keeps Version.
package lexical
