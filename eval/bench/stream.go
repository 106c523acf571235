package bench

import (
	"bufio"
	"io"
	"iter"
)

const longestFrame = 4 << 20

// lines are the lines of a stream as they come.
func lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, longestFrame)
		for scanner.Scan() {
			if !yield(scanner.Text(), nil) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			yield("", err)
		}
	}
}
