package motif

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// A Factory makes the program of a pattern for a number of ranks. spec has the type of the entry's
// Spec, or is nil for the defaults.
type Factory func(ranks int, spec any) (*comm.Program, error)

// All holds the patterns of communication by name.
var All = registry.New[Factory]("motif")

// Make makes the program of the pattern called name for a number of ranks. A nil spec takes the
// defaults.
func Make(name string, ranks int, spec any) (*comm.Program, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
	}
	if ranks < 1 || ranks > comm.MaxRanks {
		return nil, fmt.Errorf("%d ranks (want 1 to %d)", ranks, comm.MaxRanks)
	}
	return e.New(ranks, spec)
}

// add registers a pattern whose parameters are an S.
func add[S any](name, doc, source string, def S, write func(p *comm.Program, s S) error) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(ranks int, spec any) (*comm.Program, error) {
		s, err := registry.SpecOf(spec, def)
		if err != nil {
			return nil, fmt.Errorf("motif %s: %w", name, err)
		}
		p := comm.NewProgram(ranks)
		if err := write(p, s); err != nil {
			return nil, fmt.Errorf("motif %s: %w", name, err)
		}
		for i := range p.Ranks {
			if err := p.Ranks[i].Seal(); err != nil {
				panic(fmt.Sprintf("comm: motif %s: rank %d: %v", name, i, err))
			}
		}
		return p, nil
	}})
}

// Steps holds the parameters that all patterns have.
type Steps struct {
	Steps   int        `yaml:"steps" doc:"Times that the pattern is repeated" jsonschema:"minimum=1"`
	Compute units.Time `yaml:"compute" doc:"Computation of a rank in each step"`
}

// maxWritten bounds the operations of a pattern over all ranks.
const maxWritten = 1 << 28

// check bounds the operations of a pattern; each is the number of operations per step.
func (s Steps) check(p *comm.Program, perStep int) error {
	if s.Steps < 1 || s.Steps > maxWritten/max(1, perStep*len(p.Ranks)) {
		return fmt.Errorf("steps is %d (want 1 to %d, for %d ranks)", s.Steps, maxWritten/max(1, perStep*len(p.Ranks)), len(p.Ranks))
	}
	if s.Compute > maxCompute {
		return fmt.Errorf("compute is %s (want at most %s)", s.Compute, maxCompute)
	}
	return nil
}

// maxCompute and maxItem bound the time of a step and the size of a cell, point or atom, so that
// sums of a program do not overflow.
const (
	maxCompute = 3600 * units.Second
	maxItem    = 64 << 10
)

// item checks the size of one cell, point or atom.
func item(key string, b units.Bytes) error {
	if b < 1 || b > maxItem {
		return fmt.Errorf("%s is %s (want 1B to %s)", key, b, units.Bytes(maxItem))
	}
	return nil
}

// A grid is an arrangement of ranks in several dimensions; the last varies fastest.
type grid struct {
	dims []int
	wrap bool
}

// gridOf checks the dimensions of a grid, or finds those nearest to a cube.
func gridOf(dims []int, n, ranks int, wrap bool) (grid, error) {
	if len(dims) == 0 {
		return grid{nearCube(ranks, n), wrap}, nil
	}
	if len(dims) != n {
		return grid{}, fmt.Errorf("dims has %d numbers (want %d)", len(dims), n)
	}
	product := 1
	for _, d := range dims {
		if d < 1 || d > ranks {
			return grid{}, fmt.Errorf("dims has %d (want 1 to %d)", d, ranks)
		}
		product *= d
	}
	if product != ranks {
		return grid{}, fmt.Errorf("dims make %d ranks, not %d", product, ranks)
	}
	return grid{dims, wrap}, nil
}

// nearCube splits ranks into n factors with the least sum, the greatest first.
func nearCube(ranks, n int) []int {
	if n == 1 {
		return []int{ranks}
	}
	best, sum := []int(nil), math.MaxInt
	for d := 1; d <= ranks; d++ {
		if ranks%d != 0 {
			continue
		}
		rest := nearCube(ranks/d, n-1)
		if rest[0] > d {
			continue
		}
		s := d
		for _, r := range rest {
			s += r
		}
		if s < sum {
			best, sum = append([]int{d}, rest...), s
		}
	}
	if best == nil {
		best = append([]int{ranks}, nearCube(1, n-1)...)
	}
	return best
}

// at is the coordinates of a rank.
func (g grid) at(rank int) []int {
	x := make([]int, len(g.dims))
	for d := len(g.dims) - 1; d >= 0; d-- {
		x[d] = rank % g.dims[d]
		rank /= g.dims[d]
	}
	return x
}

// next is the rank at a distance along dimension d; -1 beyond the edge, and for the rank itself.
func (g grid) next(rank, d, by int) int32 {
	x := g.at(rank)
	x[d] += by
	if g.wrap {
		x[d] = ((x[d] % g.dims[d]) + g.dims[d]) % g.dims[d]
	}
	if x[d] < 0 || x[d] >= g.dims[d] {
		return -1
	}
	out := 0
	for k, v := range x {
		out = out*g.dims[k] + v
	}
	if out == rank {
		return -1
	}
	return int32(out)
}

// sizes checks values that have to be positive and reports all that are not.
func sizes(limit int, names string, values ...int) error {
	var errs []error
	for i, n := range strings.Fields(names) {
		if values[i] < 1 || values[i] > limit {
			errs = append(errs, fmt.Errorf("%s is %d (want 1 to %d)", n, values[i], limit))
		}
	}
	return errors.Join(errs...)
}
