package store

// Batch is a batch of statements as the generated :batchexec queries return it.
type Batch interface {
	Exec(each func(i int, err error))
}

// ExecAll runs every statement of batch and returns the first error. All of them are run
// even if one fails: a batch that is not read to its end keeps its connection busy.
func ExecAll(batch Batch) (first error) {
	batch.Exec(func(_ int, err error) {
		if first == nil {
			first = err
		}
	})
	return first
}
