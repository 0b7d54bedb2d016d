package communicator

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Resources that transfers share.
const (
	links      = iota // of a domain
	interfaces        // between domains
	resources
)

// A price is what a transfer takes alone: cycles before its bytes, cycles of its bytes, on which
// resource, and the bytes of the chip's memory that its kernel moves in each of the latter.
type price struct {
	start, move float64
	on          int
	memory      float64
}

// near is how many of a group of ranks are in one domain.
func (s *Spec) near(r graph.Ranks) int {
	return max(1, min(r.Count, s.Domain/max(r.Stride, 1)))
}

// price returns the price of a transfer; self is the rank of the node, for messages between nodes
// that are ranks themselves.
func (c *Comp) price(t *graph.Transfer, self int) price {
	if p, ok := c.prices[*t]; ok {
		return p
	}
	chip := library.Chip{Link: float64(c.spec.Link) / 8}
	reach := library.Reach{Rate: float64(c.spec.Interface) / 8}
	var p price
	cycles := func(seconds float64) float64 { return seconds * 1e9 / c.clock.Nanoseconds(1) }
	if t.Func == "send" || t.Func == "recv" {
		apart := max(t.Peer-self, self-t.Peer)
		if t.Among.Count == 2 {
			apart = t.Among.Stride
		}
		if reach.Near = 1; apart < c.spec.Domain {
			reach.Near = 2
		}
		a, b := c.kernels.Message(&chip, float64(t.Bytes), reach)
		p = price{start: cycles(a), move: cycles(b), on: interfaces}
		if reach.Near == 2 {
			p.on = links
		}
	} else {
		reach.Near = c.spec.near(t.Among)
		x, _ := c.kernels.Between(&chip, library.Transfer{Func: t.Func, Ranks: t.Among.Count, Bytes: float64(whole(t))}, reach)
		p = price{start: cycles(x.Total - x.Memory), move: cycles(x.Memory), on: links}
		if t.Among.Count > reach.Near {
			p.on = interfaces
		}
	}
	if p.move > 0 {
		p.memory = traffic(t) / p.move
	}
	c.prices[*t] = p
	return p
}

// whole is the bytes of a collective's larger buffer: workloads/comm counts what a rank gives to an
// all_gather.
func whole(t *graph.Transfer) int64 {
	if t.Func == "all_gather" {
		return t.Bytes * int64(t.Among.Count)
	}
	return t.Bytes
}

// known lists the collectives that have a price.
var known = []string{"send", "recv", "all_reduce", "all_gather", "reduce_scatter", "all_to_all"}

func (c *Comp) check(op *graph.Op, t *graph.Transfer) error {
	if !slices.Contains(known, t.Func) {
		return fmt.Errorf("%s: %s is a %s, which has no price (want one of: %v)", c.Name(), op.Name, t.Func, known)
	}
	if t.Func != "send" && t.Func != "recv" && t.Among.Count == 0 {
		return fmt.Errorf("%s: %s is among all ranks (want a group)", c.Name(), op.Name)
	}
	return nil
}
