package explore

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
)

// An Outcome is what is known of a design.
type Outcome struct {
	Values []float64 // of the objectives, of which less is better
	// Miss is by how much the design misses the constraints, 0 where it meets them,
	// infinite where it could not be evaluated.
	Miss float64
}

// Failed is the outcome of a design that could not be evaluated.
var Failed = Outcome{Miss: math.Inf(1)}

// A Method chooses the designs to evaluate.
type Method interface {
	// Next returns the next designs, each once in a search; none means the end. known is
	// asked for designs of earlier calls alone, all of which have an outcome by then.
	Next(known func(point int) Outcome) []int
}

// A Maker makes a method for a space. decode fills in the method's Spec, which holds the
// defaults, from a configuration; its error is returned as it is.
type Maker func(s *Space, decode func(spec any) error) (Method, error)

// All are the methods.
var All = registry.New[Maker]("search method")

// SampleSpec are the keys of methods that draw their designs.
type SampleSpec struct {
	Points int    `yaml:"points" jsonschema:"minimum=1,description=Designs to evaluate; no more than the space has"`
	Seed   uint64 `yaml:"seed" jsonschema:"description=Seed of what is drawn"`
}

func defaultSample() SampleSpec { return SampleSpec{Points: 100, Seed: 1} }

// These is a method that evaluates the designs of a list.
func These(points []int) Method { return &batch{points: slices.Clone(points)} }

// batch is a method that knows all its designs from the start.
type batch struct {
	points []int
	asked  bool
}

// Next implements Method.
func (b *batch) Next(func(int) Outcome) []int {
	if b.asked {
		return nil
	}
	b.asked = true
	return b.points
}
