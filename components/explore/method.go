package explore

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
)

// An Outcome is the result of evaluating a design.
type Outcome struct {
	Values []float64 // of the objectives, of which less is better
	// Miss is the violation of the constraints: 0 if the design meets them, infinite if it could
	// not be evaluated.
	Miss float64
}

// Failed is the outcome of a design that could not be evaluated.
var Failed = Outcome{Miss: math.Inf(1)}

// A Method proposes the designs to evaluate.
type Method interface {
	// Next returns the next designs, each once in a search; an empty list ends the search. It
	// calls known only for designs of earlier calls, all of which have an outcome by then.
	Next(known func(point int) Outcome) []int
	// Most is how many designs a whole search proposes at most.
	Most() int
}

// A Maker makes a method for a space. It calls decode with a pointer to the method's Spec, which
// holds the defaults, and returns decode's error.
type Maker func(s *Space, decode func(spec any) error) (Method, error)

// All holds the search methods by name.
var All = registry.New[Maker]("search method")

// Searches are the methods whose next designs depend on the outcomes of earlier ones. Those of OneObjective
// take one objective.
var (
	Searches     = []string{"nsga2"}
	OneObjective []string
)

// DescentSpec holds the keys of searches for the best value of one objective.
type DescentSpec struct {
	Points int    `yaml:"points" jsonschema:"minimum=1,description=Designs to evaluate in all"`
	Seed   uint64 `yaml:"seed" jsonschema:"description=Seed of the designs from which it starts again"`
}

// oneObjective registers a search for the best value of one objective.
func oneObjective(name, doc, source string, make func(*Space, DescentSpec) Method) {
	def := DescentSpec{Points: 100, Seed: 1}
	Searches, OneObjective = append(Searches, name), append(OneObjective, name)
	All.Add(registry.Entry[Maker]{Name: name, Doc: doc, Source: source, Spec: def,
		New: func(s *Space, decode func(any) error) (Method, error) {
			spec := def
			if err := decode(&spec); err != nil {
				return nil, err
			}
			return make(s, spec), nil
		}})
}

// SampleSpec holds the keys of methods that draw all designs at the start.
type SampleSpec struct {
	Points int    `yaml:"points" jsonschema:"minimum=1,description=Designs to evaluate; no more than the space has"`
	Seed   uint64 `yaml:"seed" jsonschema:"description=Seed of what is drawn"`
}

func defaultSample() SampleSpec { return SampleSpec{Points: 100, Seed: 1} }

// These returns a method that proposes the designs of a list, in one batch.
func These(points []int) Method { return &batch{points: slices.Clone(points)} }

// batch is a method that knows all its designs from the start.
type batch struct {
	points []int
	asked  bool
}

// Most implements Method.
func (b *batch) Most() int { return len(b.points) }

// Next implements Method.
func (b *batch) Next(func(int) Outcome) []int {
	if b.asked {
		return nil
	}
	b.asked = true
	return b.points
}
