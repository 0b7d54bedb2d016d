package traffic

import (
	"fmt"
	"math"
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

// A Factory makes a pattern for a topology. i is the number behind the plus of
// the name, 0 where the name has none. Only patterns that are random as a whole
// use the seed.
type Factory func(t topology.Topology, i int, seed uint64) (Pattern, error)

// All holds every pattern by name. A name that ends in "+i" stands for a family:
// adv+1, adv+2.
var All = registry.New[Factory]("traffic pattern")

// New makes the pattern called name: "uniform", "adv+1".
func New(name string, t topology.Topology, seed uint64) (Pattern, error) {
	e, ok := All.Entry(name)
	i := 0
	if base, arg, plus := strings.Cut(name, "+"); plus {
		if e, ok = All.Entry(base + "+i"); ok {
			n, err := strconv.Atoi(arg)
			if err != nil || n < 0 || strconv.Itoa(n) != arg {
				return nil, fmt.Errorf("traffic pattern %s: %q is no number (want for example %s+1)", name, arg, base)
			}
			i = n
		}
	}
	if !ok {
		return nil, fmt.Errorf("unknown traffic pattern %q (want one of: %s)", name, strings.Join(All.Names(), ", "))
	}
	p, err := e.New(t, i, seed)
	if err != nil {
		return nil, fmt.Errorf("traffic pattern %s: %w", name, err)
	}
	return p, nil
}

func add(name, doc, source string, f Factory) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, New: f})
}

// A Bernoulli source tosses a coin in every cycle. The zero value never sends.
type Bernoulli struct {
	scale  float64 // 1/log(1-p)
	always bool
}

// NewBernoulli returns the source that sends with probability p per cycle. p is
// clamped to 0..1.
func NewBernoulli(p float64) Bernoulli {
	if p <= 0 || math.IsNaN(p) {
		return Bernoulli{}
	}
	return Bernoulli{1 / math.Log1p(-p), p >= 1}
}

// Never is the gap of a source that does not send.
const Never = math.MaxInt64

// Gap draws the number of cycles, at least 1, from one packet to the next. One
// draw per packet replaces a toss per cycle: the gap is geometric.
func (b Bernoulli) Gap(rng *rand.Rand) int64 {
	switch {
	case b.always:
		return 1
	case b.scale == 0:
		return Never
	}
	g := math.Log(1-rng.Float64()) * b.scale // 1-U is in (0, 1]
	if g >= Never/2 {
		return Never
	}
	return 1 + int64(g)
}
