// Package lexical turns text into the weighted terms of BM25. One tokenizer serves documents
// and questions. Words are stemmed by language, and terms are hashed to indices of a vector.
//
// It stores and searches nothing: the inner product of a question's terms with a passage's
// terms is the BM25 score. Its invariant: equal text in the same language gives equal terms on
// every machine and in every release with the same Version.
package lexical
