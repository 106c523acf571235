// Package textbook is the ranking that every text book describes: BM25 with k1 1.2 and
// b 0.75, stop words and Porter's stemmer, over paragraphs or pages with the document's
// title in front. An evaluation measures the service against it.
//
// It shares no code with the service's own ranking, so that an error there cannot hide
// here. Its invariant: the same units and the same query give the same order.
package textbook
