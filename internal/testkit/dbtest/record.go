package dbtest

import "sync"

// record is a list that several connections add to.
type record[T any] struct {
	mu   sync.Mutex
	list []T
}

func (r *record[T]) add(item T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, item)
}

// Take returns what was noted since the last time.
func (r *record[T]) Take() []T {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}
