package skip

import (
	"errors"
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/registry"
)

// Values is the distribution of the magnitudes of an operand that are not zero.
type Values interface {
	// Below returns the share of magnitudes of at most t, 0 to 1.
	Below(t float64) float64
}

// NewValues makes a distribution from the parameters of its entry.
type NewValues func(spec any) (Values, error)

// Distributions holds the distributions of operand values by name.
var Distributions = registry.New[NewValues]("distribution")

// An Operand selects the values that are skipped. Every distribution has these keys.
type Operand struct {
	Zeros     float64 `yaml:"zeros" doc:"Share of values that are zero, 0 to 1"`
	Threshold float64 `yaml:"threshold" doc:"Values of at most this magnitude are skipped; 0: zeros alone"`
}

// Scaled is the spec of half_normal and laplace.
type Scaled struct {
	Operand `yaml:",inline"`
	Scale   float64 `yaml:"scale" doc:"Scale of the magnitudes that are not zero: standard deviation of the normal, mean of the Laplace distribution"`
}

// A Histogram is a distribution of bins; values are uniform within a bin.
type Histogram struct {
	Operand `yaml:",inline"`
	Edges   []float64 `yaml:"edges" doc:"Magnitudes between which the bins lie, ascending, the first 0 or more"`
	Shares  []float64 `yaml:"shares" doc:"Share of each bin of the values that are not zero, one less than edges; they need not add up to 1"`
}

type scaled struct {
	scale float64
	below func(x float64) float64
}

func (s scaled) Below(t float64) float64 { return s.below(max(0, t) / s.scale) }

// Below implements Values.
func (h Histogram) Below(t float64) float64 {
	sum, under := 0.0, 0.0
	for i, s := range h.Shares {
		sum += s
		under += s * min(1, max(0, (t-h.Edges[i])/(h.Edges[i+1]-h.Edges[i])))
	}
	return under / sum
}

func (h Histogram) check() error {
	if len(h.Shares) == 0 || len(h.Edges) != len(h.Shares)+1 {
		return fmt.Errorf("has %d edges and %d shares (want one more edges than shares)", len(h.Edges), len(h.Shares))
	}
	sum := 0.0
	for i, s := range h.Shares {
		if !(h.Edges[i] >= 0 && h.Edges[i+1] > h.Edges[i] && !math.IsInf(h.Edges[i+1], 0)) {
			return fmt.Errorf("has a bin from %g to %g (want ascending edges of 0 or more)", h.Edges[i], h.Edges[i+1])
		}
		if !(s >= 0 && s < 1e18) {
			return fmt.Errorf("has a share of %g (want 0 or more)", s)
		}
		sum += s
	}
	if sum == 0 {
		return errors.New("has shares of 0 alone")
	}
	return nil
}

func newScaled(below func(x float64) float64) NewValues {
	return func(spec any) (Values, error) {
		s := spec.(Scaled)
		if !(s.Scale > 0 && s.Scale < 1e18) {
			return nil, fmt.Errorf("has a scale of %g (want more than 0)", s.Scale)
		}
		return scaled{s.Scale, below}, nil
	}
}

func init() {
	Distributions.Add(registry.Entry[NewValues]{
		Name: "half_normal", Doc: "Magnitudes of a normal distribution around 0, as what a ReLU lets pass.",
		Source: "none: arithmetic", Spec: Scaled{Scale: 1},
		New: newScaled(func(x float64) float64 { return math.Erf(x / math.Sqrt2) }),
	})
	Distributions.Add(registry.Entry[NewValues]{
		Name: "laplace", Doc: "Magnitudes of a Laplace distribution around 0, that is exponential ones: more of them small.",
		Source: "none: arithmetic", Spec: Scaled{Scale: 1},
		New: newScaled(func(x float64) float64 { return -math.Expm1(-x) }),
	})
	Distributions.Add(registry.Entry[NewValues]{
		Name: "histogram", Doc: "Bins of magnitudes with a share each, as counted in a network.",
		Source: "none: a list", Spec: Histogram{},
		New: func(spec any) (Values, error) {
			h := spec.(Histogram)
			return h, h.check()
		},
	})
}
