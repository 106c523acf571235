package harness

import (
	"context"
	"fmt"
	"time"

	"docqa/eval/bench/report"
)

// WarmUp is how many rounds come before those that count.
const WarmUp = 30

// Step is one of the things that are measured in turns. Do returns the time to count; 0 means the time of the whole call.
type Step struct {
	Name string
	Do   func(ctx context.Context, round int) (time.Duration, error)
}

// InTurns runs all steps once in each round, so that a slow phase of the machine affects all of them. It returns the milliseconds of each step
// by its name, without the first WarmUp rounds.
func (h *Harness) InTurns(ctx context.Context, rounds int, steps []Step) (map[string][]float64, error) {
	took := make(map[string][]float64, len(steps))
	for i := range WarmUp + rounds {
		for _, s := range steps {
			began := h.Clock.Now()
			d, err := s.Do(ctx, i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			if d == 0 {
				d = h.Clock.Now().Sub(began)
			}
			if i >= WarmUp {
				took[s.Name] = append(took[s.Name], report.Milliseconds(d))
			}
		}
	}
	return took, nil
}

// SelectOne is a step that makes one round trip to the database of s.
func SelectOne(s *Server) Step {
	return Step{"SELECT 1", func(ctx context.Context, _ int) (time.Duration, error) {
		var one int
		return 0, s.Conn.QueryRow(ctx, "select 1").Scan(&one)
	}}
}
