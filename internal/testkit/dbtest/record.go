package dbtest

import "sync"

// record is a list to which several connections add.
type record[T any] struct {
	mu   sync.Mutex
	list []T
}

func (r *record[T]) add(item T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, item)
}

// Take returns the entries that were added since the last call.
func (r *record[T]) Take() []T {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}
