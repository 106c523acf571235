package score

import (
	"math/rand/v2"
	"slices"
)

// Estimate is a mean with the interval that holds it in 95 of 100 samples.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
}

const resamples = 1000

// Share is the share of true values with its bootstrap interval. The same values give the same interval.
func Share(values []bool) Estimate {
	if len(values) == 0 {
		return Estimate{}
	}
	random := rand.New(rand.NewPCG(uint64(len(values)), 7)) //nolint:gosec // resampling wants speed and repeatability
	means := make([]float64, resamples)
	for i := range means {
		n := 0
		for range values {
			if values[random.IntN(len(values))] {
				n++
			}
		}
		means[i] = float64(n) / float64(len(values))
	}
	slices.Sort(means)
	return Estimate{Value: share(values), Low: Quantile(means, .025), High: Quantile(means, .975), N: len(values)}
}

func share(values []bool) float64 {
	n := 0
	for _, v := range values {
		if v {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

// Quantile is the value below which the share q of the sorted values lies; 0 without values.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(q*float64(len(sorted))+1e-9), len(sorted)-1)]
}

// AUC is the chance that a random one of high exceeds a random one of low, ties counting half; 0.5 when one is empty.
func AUC(high, low []float64) float64 {
	if len(high) == 0 || len(low) == 0 {
		return .5
	}
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

// RefusedAt is the share of foreign scores that fall below the threshold which lets the share kept of own pass.
func RefusedAt(kept float64, own, foreign []float64) float64 {
	if len(own) == 0 || len(foreign) == 0 {
		return 0
	}
	threshold := Quantile(slices.Sorted(slices.Values(own)), 1-kept)
	n := 0
	for _, s := range foreign {
		if s < threshold {
			n++
		}
	}
	return float64(n) / float64(len(foreign))
}
