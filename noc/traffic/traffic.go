package traffic

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Pattern gives the destinations of packets.
type Pattern interface {
	// Dst draws the destination of a packet of terminal src. Permutations do not use rng.
	Dst(src int, rng *rand.Rand) int
}

// Silent is the result of Dst for a terminal that sends nothing.
const Silent = -1

// Args are the arguments of a Factory.
type Args struct {
	Topology topology.Topology
	I        int    // the number after the plus of the name, 0 without one
	Seed     uint64 // for patterns with random tables
	Spec     any    // of the type of the entry's Spec, or nil for its defaults
}

// A Factory makes a pattern.
type Factory func(a Args) (Pattern, error)

// All holds every pattern by name. A name that ends in "+i" is a family: adv+1, adv+2.
var All = registry.New[Factory]("traffic pattern")

// Find returns the entry of a name, "uniform" or "adv+1", and the number after the plus. The
// error lists the names.
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

// New makes the pattern called name with default parameters: "uniform", "adv+1".
func New(name string, t topology.Topology, seed uint64) (Pattern, error) {
	return NewSpec(name, t, seed, nil)
}

// NewSpec makes a pattern with parameters: spec has the type of its entry's Spec; nil is the
// defaults.
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
		s, err := registry.SpecOf(a.Spec, def)
		if err != nil {
			return nil, err
		}
		return f(a, s)
	}})
}
