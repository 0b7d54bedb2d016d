package hosts

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/workloads/comm"
)

// graphs are the formats of graphs of operations, in place of lists of requests.
var graphs = []string{"chakra", "chakra_json"}

// readGraphs reads a program per rank of a graph.
func readGraphs(s Spec) ([]Program, error) {
	p, _, err := comm.Open(s.Trace, comm.Options{Format: s.Format})
	if err != nil {
		return nil, err
	}
	out := make([]Program, len(p.Ranks))
	for i := range out {
		if out[i], err = s.program(&p.Ranks[i]); err != nil {
			return nil, fmt.Errorf("%s: rank %d: %w", s.Trace, i, err)
		}
	}
	return out, nil
}

// program is what a rank does, in one thread: its operations in an order that its
// dependencies allow, the lowest number first. Computations are in front of the next
// request. Each node of memory has addresses of its own, whole lines, one node behind
// the other: graphs have sizes and no addresses.
func (s *Spec) program(r *comm.Rank) (p Program, err error) {
	next, delta := uint64(0), int64(0)
	for _, i := range order(r) {
		switch o := r.Op(i); o.Kind {
		case comm.Join:
		case comm.Compute:
			if o.Time == 0 && o.Work > 0 {
				return p, fmt.Errorf("%s has operations and no time, and a host no rate", r.Label(i))
			}
			if s.Computing {
				delta += int64((uint64(o.Time) + 999) / 1000) // a Time is in fs
			}
		case comm.Load, comm.Store:
			if o.Bytes == 0 || o.Bytes > math.MaxUint32 {
				return p, fmt.Errorf("%s has %d bytes (want 1 to 4 GiB)", r.Label(i), o.Bytes)
			}
			p.Requests = append(p.Requests, Request{Addr: next, Size: uint32(o.Bytes), Write: o.Kind == comm.Store, Delta: delta})
			next += (o.Bytes + line - 1) &^ (line - 1)
			delta = 0
		default:
			return p, fmt.Errorf("%s is no access to memory (kind ranks plays messages and collectives)", r.Label(i))
		}
	}
	p.Tail = delta
	if s.Limit > 0 && len(p.Requests) > s.Limit {
		p.Requests, p.Tail = p.Requests[:s.Limit], 0
	}
	return p, nil
}

// order lists the operations of a rank after those that they wait for, in the
// order of their numbers where that is free.
func order(r *comm.Rank) []int {
	out := make([]int, 0, r.Len())
	seen := make([]bool, r.Len())
	var stack []int
	for root := range r.Len() {
		stack = append(stack[:0], root)
	deps:
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			if seen[i] {
				stack = stack[:len(stack)-1]
				continue
			}
			for _, d := range r.Deps(i) { // Seal has found circles
				if !seen[d.Op()] {
					stack = append(stack, d.Op())
					continue deps
				}
			}
			seen[i] = true
			out = append(out, i)
			stack = stack[:len(stack)-1]
		}
	}
	return out
}
