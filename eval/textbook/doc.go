// Package textbook is BM25 as textbooks describe it, with k1 1.2 and b 0.75, stop words and Porter's stemmer, over paragraphs or pages
// with the title of the document in front. The service is compared with it.
//
// It shares no code with the ranking of the service, so that an error in one does not appear in both. Its invariant: the same units and
// the same query give the same order.
package textbook
