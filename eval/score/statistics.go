package score

import (
	"math/rand/v2"
	"slices"
)

// Estimate is a figure of a sample with its 95 % confidence interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"` // the size of the first sample
}

const resamples = 1000

// Bootstrap estimates figure and its interval by drawing from each sample with replacement. The same samples give the same interval.
// If a sample is empty, the estimate is zero.
//
// Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13 (percentile interval).
func Bootstrap(figure func(samples ...[]float64) float64, samples ...[]float64) Estimate {
	drawn := make([][]float64, len(samples))
	for i, s := range samples {
		if len(s) == 0 {
			return Estimate{}
		}
		drawn[i] = make([]float64, len(s))
	}
	random := rand.New(rand.NewPCG(uint64(len(samples[0])), 7)) //nolint:gosec // resampling wants speed and repeatability
	values := make([]float64, resamples)
	for i := range values {
		for k, s := range samples {
			for j := range s {
				drawn[k][j] = s[random.IntN(len(s))]
			}
		}
		values[i] = figure(drawn...)
	}
	slices.Sort(values)
	return Estimate{Value: figure(samples...), Low: Quantile(values, .025), High: Quantile(values, .975), N: len(samples[0])}
}

// Mean estimates the mean of values.
func Mean(values []float64) Estimate {
	return Bootstrap(func(s ...[]float64) float64 { return mean(s[0]) }, values)
}

// Share estimates the share of true values.
func Share(values []bool) Estimate {
	ones := make([]float64, len(values))
	for i, v := range values {
		if v {
			ones[i] = 1
		}
	}
	return Mean(ones)
}

func mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Quantile returns the value below which the share q of the sorted values lies, or 0 without values.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(q*float64(len(sorted))+1e-9), len(sorted)-1)]
}

// AUC estimates the probability that a random value of high exceeds a random value of low. A tie counts half. N is the number of both.
func AUC(high, low []float64) Estimate {
	e := Bootstrap(func(s ...[]float64) float64 { return auc(s[0], s[1]) }, high, low)
	if e.N > 0 {
		e.N += len(low)
	}
	return e
}

func auc(high, low []float64) float64 {
	sorted := slices.Sorted(slices.Values(low))
	sum := 0.
	for _, h := range high {
		below, _ := slices.BinarySearch(sorted, h)
		upTo := below
		for upTo < len(sorted) && sorted[upTo] == h {
			upTo++
		}
		sum += float64(below) + float64(upTo-below)/2
	}
	return sum / float64(len(high)) / float64(len(low))
}

// RefusedAt estimates the share of the foreign scores below a threshold. The threshold is the one above which the share kept of the own scores
// lies. N is the number of foreign scores.
func RefusedAt(kept float64, own, foreign []float64) Estimate {
	return Bootstrap(func(s ...[]float64) float64 { return refusedAt(kept, s[1], s[0]) }, foreign, own)
}

func refusedAt(kept float64, own, foreign []float64) float64 {
	threshold := Quantile(slices.Sorted(slices.Values(own)), 1-kept)
	n := 0
	for _, s := range foreign {
		if s < threshold {
			n++
		}
	}
	return float64(n) / float64(len(foreign))
}
