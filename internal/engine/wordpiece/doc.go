// Package wordpiece cuts texts into the token ids that models of the BERT family read.
//
// It is not a general tokenizer: it follows the uncased and the cased BERT rules and
// nothing else. Its invariant: the ids are those of the reference implementation, whose
// Unicode tables are of version 8, for every text; the test data was made with it.
package wordpiece
