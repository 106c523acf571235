package score

import (
	"math/rand/v2"
	"slices"
)

// Estimate is a figure of a sample with its 95 % bootstrap interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"` // of what was sampled first
}

const resamples = 1000

// Bootstrap estimates figure over samples, each of which is drawn anew with replacement. The same samples
// give the same interval. An empty sample gives nothing.
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

// Mean is the mean of values with its interval.
func Mean(values []float64) Estimate {
	return Bootstrap(func(s ...[]float64) float64 { return mean(s[0]) }, values)
}

// Share is the share of true values with its interval.
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

// Quantile is the value below which the share q of the sorted values lies; 0 without values.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(q*float64(len(sorted))+1e-9), len(sorted)-1)]
}

// AUC is the chance that a random one of high exceeds a random one of low, ties counting half, with its
// interval. Its N is the number of both.
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

// RefusedAt is the share of foreign scores that fall below the threshold which lets the share kept of own
// pass, with its interval. Its N is the number of foreign ones.
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
