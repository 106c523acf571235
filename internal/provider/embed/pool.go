package embed

import (
	"fmt"
	"slices"

	"docqa/internal/provider/onnx"
)

// pool copies the vectors out of the result of a graph. The result has one vector for each row,
// or one for each token: then pool computes the mean of the tokens that are not padding.
func pool(data []float32, shape []int64, b onnx.Batch) ([][]float32, error) {
	rows, width := int64(b.Rows), int64(b.Width)
	perToken := len(shape) == 3 && shape[0] == rows && shape[1] == width
	if !perToken && (len(shape) != 2 || shape[0] != rows) {
		return nil, fmt.Errorf("the model answered the shape %v for %d texts", shape, b.Rows)
	}
	size := int(shape[len(shape)-1])
	vectors := make([][]float32, b.Rows)
	for row := range vectors {
		if !perToken {
			vectors[row] = slices.Clone(data[row*size : (row+1)*size])
			continue
		}
		sum := make([]float32, size) // the sum is enough for the mean: the vector is normalised later
		for token := range b.Width {
			if at := row*b.Width + token; b.Mask[at] == 1 {
				for i, x := range data[at*size : (at+1)*size] {
					sum[i] += x
				}
			}
		}
		vectors[row] = sum
	}
	return vectors, nil
}
