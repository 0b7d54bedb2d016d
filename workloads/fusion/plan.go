package fusion

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Options say how groups are fused.
type Options struct {
	Capacity  int64 // bytes of the scratchpad
	Tiles     int   // parts of the last results of a group; 0: the number with the least traffic
	Recompute bool  // rows that the next piece also needs are computed again
	Stream    bool  // every piece reads its weights from memory
	Keep      bool  // results between groups also stay if there is room
	Depth     int   // pieces of a unit with separate bytes; 0 is 2
}

// A Place is the location of a tensor of a plan's graph.
type Place struct {
	Pad    bool           // in the scratchpad
	Root   graph.TensorID // else inside this tensor of the source graph
	Offset int64          // bytes from the beginning of the scratchpad or of Root
}

// Traffic counts bytes by kind, if every piece reads and writes its data once.
type Traffic struct {
	Weights, Read, Written int64 // from and to memory: parameters, other operands, results
	PadRead, PadWritten    int64
}

// OffChip is the sum of bytes from and to memory.
func (t Traffic) OffChip() int64 { return t.Weights + t.Read + t.Written }

// A Plan is a graph cut into pieces.
type Plan struct {
	Graph  *graph.Graph
	Place  []Place    // by tensor of Graph
	Source []int      // by operator of Graph: that of the source graph
	Before [][2]int32 // operators of Graph: the first waits for the second
	Groups int
	Traffic
	Peak    int64 // peak bytes of the scratchpad in use
	Kept    int64 // bytes of results between groups that stay
	Spilled int64 // bytes of results between groups without room
}

// A planner makes plans of one graph.
type planner struct {
	g     *graph.Graph
	units []unit
	o     Options
}

func newPlanner(g *graph.Graph, units [][]int, o Options) *planner {
	if o.Depth == 0 {
		o.Depth = 2
	}
	return &planner{g: g, units: analyse(g, units), o: o}
}

// Cuts returns groups of n units in order, with a cut before each unit of at.
func Cuts(n int, at ...int) (out [][]int) {
	from := 0
	for _, to := range append(slices.Clone(at), n) {
		var group []int
		for u := from; u < to; u++ {
			group = append(group, u)
		}
		if from = to; len(group) > 0 {
			out = append(out, group)
		}
	}
	return out
}

// New fuses the groups, each a list of units; other units are separate. The error of a group is a
// *GroupError with its number.
func New(g *graph.Graph, units [][]int, groups [][]int, o Options) (*Plan, error) {
	p := newPlanner(g, units, o)
	order, err := p.sort(groups)
	if err != nil {
		return nil, err
	}
	d := p.draft()
	for _, x := range order {
		f := p.fused(x.units)
		if f == nil {
			return nil, &GroupError{x.number, p.missing(x.units)}
		}
		d.append(f)
	}
	d.keep()
	return d.build(), nil
}

// A GroupError is the error of one group.
type GroupError struct {
	Group int
	Msg   string
}

func (e *GroupError) Error() string { return fmt.Sprintf("group %d: %s", e.Group, e.Msg) }

// A numbered is a group and its number, -1: a unit that stands alone.
type numbered struct {
	units  []int
	number int
}

// sort puts groups in an order in which each comes after those whose results it reads.
func (p *planner) sort(groups [][]int) ([]numbered, error) {
	of := make([]int, len(p.units))
	for u := range of {
		of[u] = -1
	}
	var all []numbered
	for k, units := range groups {
		n := numbered{slices.Sorted(slices.Values(units)), k}
		for _, u := range n.units {
			if of[u] >= 0 {
				return nil, &GroupError{k, fmt.Sprintf("%s is in group %d too", p.name(u), of[u])}
			}
			of[u] = k
		}
		all = append(all, n)
	}
	for u := range p.units {
		if of[u] < 0 {
			of[u] = len(all)
			all = append(all, numbered{[]int{u}, -1})
		}
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(first(a.units), first(b.units)) })
	at := make([]int, len(p.units))
	for i, n := range all {
		for _, u := range n.units {
			at[u] = i
		}
	}
	var out []numbered
	state := make([]int8, len(all)) // 1: under way, 2: done
	var path []int
	var visit func(i int) error
	visit = func(i int) error {
		if state[i] == 2 {
			return nil
		}
		if state[i] == 1 {
			return p.circle(all, path[slices.Index(path, i):], i)
		}
		state[i] = 1
		path = append(path, i)
		for _, u := range all[i].units {
			for _, r := range p.units[u].reads {
				if r.unit >= 0 && at[r.unit] != i {
					if err := visit(at[r.unit]); err != nil {
						return err
					}
				}
			}
		}
		path = path[:len(path)-1]
		state[i] = 2
		out = append(out, all[i])
		return nil
	}
	for i := range all {
		if err := visit(i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func first(units []int) int {
	if len(units) == 0 {
		return 1 << 30
	}
	return units[0]
}

// circle is the error for groups that wait for each other.
func (p *planner) circle(all []numbered, path []int, again int) error {
	text, number := "", -1
	for _, i := range append(slices.Clone(path), again) {
		n := all[i]
		name := p.name(n.units[0])
		if n.number >= 0 {
			number = max(number, n.number)
			name = fmt.Sprintf("group %d (%s...)", n.number, name)
		}
		if text != "" {
			text += " waits for "
		}
		text += name
	}
	return &GroupError{number, "is cyclic: " + text}
}

func (p *planner) name(u int) string { return p.g.Ops[p.units[u].ops[0]].Name }

// most is the most parts that are worth trying.
func (p *planner) most(group []int) (n int64) {
	for _, u := range group {
		if x := &p.units[u]; !x.whole {
			n = max(n, x.rows)
		}
	}
	return min(max(n, 1), mostTiles)
}

// mostTiles is the most parts that are tried.
//
// assumption: finer ones leave less work per piece than a core needs to fill its array.
const mostTiles = 64

// fused is a group as pieces, by itself; nil: it does not fit.
func (p *planner) fused(group []int) *draft {
	if len(group) == 1 {
		return p.tiled(group, 1)
	}
	if n := int64(p.o.Tiles); n > 0 {
		return p.tiled(group, n)
	}
	var best *draft
	var least int64
	for n := int64(fewest); n <= max(p.most(group), fewest); n *= 2 {
		d := p.tiled(group, n)
		if d == nil {
			continue
		}
		if c := d.traffic().OffChip(); best == nil || float64(c) < worthwhile*float64(least) {
			best, least = d, c
		}
	}
	return best
}

// worthwhile is the share of the bytes that more parts have to leave: each costs cores
// the fill of their arrays and reads weights from the scratchpad.
//
// assumption: 2% of the bytes are not worth twice the pieces.
const worthwhile = 0.98

// fewest is the number of parts that is tried first: with fewer, cores hardly overlap.
const fewest = 4

// missing is the error for a group with too little memory.
func (p *planner) missing(group []int) string {
	tiles := int64(p.o.Tiles)
	if tiles == 0 {
		tiles = p.most(group)
	}
	q := *p
	q.o.Capacity = 1 << 50
	d := q.tiled(group, tiles)
	bytes, at := d.alloc.peak()
	at = min(at, len(d.pieces)-1)
	return fmt.Sprintf("its results need %d B of the scratchpad while %s is made (in %d tiles), %d more than the %d there are",
		bytes, p.name(d.pieces[at].unit), tiles, max(bytes-p.o.Capacity, 1), p.o.Capacity)
}
