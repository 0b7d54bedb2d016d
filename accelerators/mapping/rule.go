package mapping

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/components/glob"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// fits reports whether the rule is for core and the layer called name.
func (r *Rule) fits(name string, core int) bool {
	return (r.Core == nil || *r.Core == core) && (r.Match == name || glob.Match(r.Match, name))
}

// ruleFor is the first rule that fits, or one that fixes nothing.
func (s *Spec) ruleFor(name string, core int) Rule {
	for i := range s.Layers {
		if s.Layers[i].fits(name, core) {
			return s.Layers[i]
		}
	}
	return Rule{}
}

// Splits lists the ways to share out an operator.
func Splits() []string { return []string{"auto", "layer", "batch", "head", "column", "row"} }

// check reports what is wrong with the section for g on so many cores.
func (s *Spec) check(g *graph.Graph, cores int) (errs []error) {
	oneOf := func(key, v string, names []string) {
		for _, n := range names {
			if n == v {
				return
			}
		}
		errs = append(errs, fmt.Errorf("mapping.%s: unknown %q (want one of: %s)", key, v, strings.Join(names, ", ")))
	}
	oneOf("split", s.Split, Splits())
	oneOf("objective", s.Objective, Objectives())
	errs = append(errs, s.checkLayout()...)
	if s.Rules != "" {
		oneOf("rules", s.Rules, Peers.Names())
		if s.MicroBatches > 1 {
			errs = append(errs, fmt.Errorf("mapping.micro_batches: has no effect with rules of another program"))
		}
	}
	switch {
	case s.Multicast == "":
	case s.Split != "auto":
		errs = append(errs, fmt.Errorf("mapping.multicast: has no effect with split %s (used by: auto)", s.Split))
	default:
		oneOf("multicast", s.Multicast, []string{"auto", "all", "none"})
	}
	if err := s.checkMicroBatches(newSplitter(g, "", 1).batch); err != nil {
		errs = append(errs, err)
	}
	for i := range s.Layers {
		r := &s.Layers[i]
		at := fmt.Sprintf("layers[%d]", i)
		if r.Order != "" {
			oneOf(at+".order", r.Order, orderNames())
		}
		if r.Resident != "" {
			oneOf(at+".resident", r.Resident, []string{"ifmap", "filter", "ofmap"})
		}
		for _, x := range []struct {
			key string
			n   int64
		}{{"batch", r.Tile.Batch}, {"m", r.Tile.M}, {"n", r.Tile.N}, {"k", r.Tile.K}} {
			if x.n < 0 {
				errs = append(errs, fmt.Errorf("mapping.%s.tile.%s: %d (want at least 1, or none)", at, x.key, x.n))
			}
		}
		if r.Core != nil && (*r.Core < 0 || *r.Core >= cores) {
			errs = append(errs, fmt.Errorf("mapping.%s.core: %d (want 0 to %d)", at, *r.Core, cores-1))
			continue
		}
		if !s.used(g, i) {
			errs = append(errs, fmt.Errorf("mapping.%s.match: %q fits no convolution, matrix product or attention that an earlier rule does not take", at, r.Match))
			continue
		}
		if r.fixesNothing() && !s.spares(g, i) {
			errs = append(errs, fmt.Errorf("mapping.%s: fixes nothing (want one of: tile, order, resident)", at))
		}
	}
	return errs
}

// checkMicroBatches reports what is wrong with their number for a batch.
func (s *Spec) checkMicroBatches(batch int64) error {
	switch {
	case s.MicroBatches < 0:
		return fmt.Errorf("mapping.micro_batches: %d (want at least 1)", s.MicroBatches)
	case s.MicroBatches > 1 && s.Split != "layer":
		return fmt.Errorf("mapping.micro_batches: has no effect with split %s (used by: layer)", s.Split)
	case s.MicroBatches > 1 && int64(s.MicroBatches) > batch:
		return fmt.Errorf("mapping.micro_batches: %d, and the batch is %d", s.MicroBatches, batch)
	}
	return nil
}

// used reports whether rule i is the first that fits some matrix operator.
func (s *Spec) used(g *graph.Graph, i int) bool {
	r := &s.Layers[i]
next:
	for o := range g.Ops {
		name := g.Ops[o].Name
		if !product.OnArray(&g.Ops[o]) || r.Match != name && !glob.Match(r.Match, name) {
			continue
		}
		for j := range i { // a rule for one core leaves the others
			q := &s.Layers[j]
			if (q.Core == nil || r.Core != nil && *q.Core == *r.Core) && (q.Match == name || glob.Match(q.Match, name)) {
				continue next
			}
		}
		return true
	}
	return false
}

// fixesNothing reports whether the rule leaves all of a mapping to the search.
func (r *Rule) fixesNothing() bool { return r.Tile == dma.Tile{} && r.Order == "" && r.Resident == "" }

// spares reports whether rule i keeps some matrix operator from a later rule.
func (s *Spec) spares(g *graph.Graph, i int) bool {
	for o := range g.Ops {
		name := g.Ops[o].Name
		if !product.OnArray(&g.Ops[o]) || s.Layers[i].Match != name && !glob.Match(s.Layers[i].Match, name) {
			continue
		}
		for j := i + 1; j < len(s.Layers); j++ {
			if q := &s.Layers[j]; q.Match == name || glob.Match(q.Match, name) {
				return true
			}
		}
	}
	return false
}

func orderNames() (out []string) {
	for i := range tile.Orders {
		out = append(out, tile.Orders[i].String())
	}
	return out
}

// Chosen is the section with the mapping of every matrix operator written out:
// given back to Split it makes the same programs.
func (s Spec) Chosen(g *graph.Graph, programs []Program) Spec {
	s.Layers = nil
	for i := range programs {
		p := &programs[i]
		for j := range p.Jobs {
			plan := p.Jobs[j].Plan
			if !plan.Matrix || plan.own != nil || len(programs) == 1 && p.Jobs[j].Part > 0 {
				continue
			}
			r := Rule{Match: g.Ops[p.Jobs[j].Op].Name, Tile: plan.Tile, Order: plan.Order}
			if len(programs) > 1 {
				core := i
				r.Core = &core
			}
			s.Layers = append(s.Layers, r)
		}
	}
	return s
}
