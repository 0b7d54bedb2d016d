package traffic

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Pattern says where packets go.
type Pattern interface {
	// Dst draws the destination of a packet of terminal src. Permutations draw
	// nothing.
	Dst(src int, rng *rand.Rand) int
}

// Silent, returned by Dst, is the destination of a terminal that sends nothing.
const Silent = -1

// Args is what a pattern is made from.
type Args struct {
	Topology topology.Topology
	I        int    // the number after the plus of the name, 0 where it has none
	Seed     uint64 // for patterns that are random as a whole
	Spec     any    // of the type of the entry's Spec, or nil for its defaults
}

// A Factory makes a pattern.
type Factory func(a Args) (Pattern, error)

// All holds every pattern by name. A name that ends in "+i" stands for a family:
// adv+1, adv+2.
var All = registry.New[Factory]("traffic pattern")

// Find is the entry that a name stands for, "uniform" or "adv+1", and the number
// after the plus.
func Find(name string) (e registry.Entry[Factory], i int, err error) {
	e, ok := All.Entry(name)
	if base, arg, plus := strings.Cut(name, "+"); plus {
		if e, ok = All.Entry(base + "+i"); ok {
			n, err := strconv.Atoi(arg)
			if err != nil || n < 0 || strconv.Itoa(n) != arg {
				return e, 0, fmt.Errorf("traffic pattern %s: %q is no number (want for example %s+1)", name, arg, base)
			}
			i = n
		}
	}
	if !ok {
		return e, 0, fmt.Errorf("unknown traffic pattern %q (want one of: %s)", name, strings.Join(All.Names(), ", "))
	}
	return e, i, nil
}

// New makes the pattern called name: "uniform", "adv+1".
func New(name string, t topology.Topology, seed uint64) (Pattern, error) {
	return NewSpec(name, t, seed, nil)
}

// NewSpec makes a pattern with parameters: a value of the type of its entry's
// Spec, or nil for the defaults.
func NewSpec(name string, t topology.Topology, seed uint64, spec any) (Pattern, error) {
	e, i, err := Find(name)
	if err != nil {
		return nil, err
	}
	p, err := e.New(Args{t, i, seed, spec})
	if err != nil {
		return nil, fmt.Errorf("traffic pattern %s: %w", name, err)
	}
	return p, nil
}

func add(name, doc, source string, f Factory) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, New: f})
}

// addSpec registers a pattern with parameters.
func addSpec[S any](name, doc, source string, def S, f func(a Args, s S) (Pattern, error)) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(a Args) (Pattern, error) {
		switch s := a.Spec.(type) {
		case nil:
			return f(a, def)
		case S:
			return f(a, s)
		}
		return nil, fmt.Errorf("spec is a %T, want a %T", a.Spec, def)
	}})
}
