package embed

import (
	"fmt"
	"slices"
)

// pool copies the vectors out of what a graph answered: one a row, or one a token, of which
// the mean is taken over those that are not padding.
func pool(data []float32, shape []int64, b batch) ([][]float32, error) {
	rows, width := int64(b.rows), int64(b.width)
	perToken := len(shape) == 3 && shape[0] == rows && shape[1] == width
	if !perToken && (len(shape) != 2 || shape[0] != rows) {
		return nil, fmt.Errorf("the model answered the shape %v for %d texts", shape, b.rows)
	}
	size := int(shape[len(shape)-1])
	vectors := make([][]float32, b.rows)
	for row := range vectors {
		if !perToken {
			vectors[row] = slices.Clone(data[row*size : (row+1)*size])
			continue
		}
		sum := make([]float32, size) // the mean's length is scaled away
		for token := range b.width {
			if at := row*b.width + token; b.mask[at] == 1 {
				for i, x := range data[at*size : (at+1)*size] {
					sum[i] += x
				}
			}
		}
		vectors[row] = sum
	}
	return vectors, nil
}
