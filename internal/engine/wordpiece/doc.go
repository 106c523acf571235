// Package wordpiece converts texts into the token ids that models of the BERT family read.
//
// It is not a general tokenizer: it follows only the uncased and the cased rules of BERT. Its
// invariant: for every text the ids are those of the reference implementation, whose Unicode
// tables are of version 8. The reference made the test data.
package wordpiece
