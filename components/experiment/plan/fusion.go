package plan

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/fusion"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// cut replaces the graph of a workload by its pieces, if the section mapping.fusion requires it.
func (a *Assignment) cut(w *Workload, idx []int) error {
	at := a.Doc.Root.Get("mapping").Get("fusion")
	if !at.Exists() {
		return nil
	}
	if err := a.findPad(at); err != nil {
		return err
	}
	switch {
	case len(a.Given) > 1 || w.Requests > 1:
		return at.Errorf(nil, "there are %d workloads with %d requests of %s: the scratchpad is planned for one request (take fusion away, or the others)", len(a.Given), w.Requests, w.Name())
	case w.Spec.Parallel.Ranks() > 1:
		return at.Errorf(nil, "a model on several chips is not fused (take workload.parallel or this away)")
	case a.Teams():
		return at.Errorf(nil, "has no effect with mapping.split: all cores share every operator")
	}
	spec := a.Spec.Fusion
	array := slices.ContainsFunc(idx, func(k int) bool { return Mappable(a.Workers[k]) })
	units := mapping.Units(w.Graph, a.Spec.Fuse && array)
	o := spec.Options(a.Pad.Capacity())
	longest := spec.Longest
	if longest == 0 {
		longest = fusion.DefaultLongest
	}
	var groups [][]int
	var err error
	switch spec.Search {
	case fusion.ByDynamic, fusion.ByAll:
		if v := at.Get("groups"); v.Exists() {
			return v.Errorf(nil, "has no effect with search %s, which finds the groups", spec.Search)
		}
		if spec.Search == fusion.ByDynamic {
			groups = fusion.Search(w.Graph, units, o, longest)
		} else if groups, err = fusion.Exhaustive(w.Graph, units, o); err != nil {
			return at.Get("search").Errorf(nil, "%s: %v", w.Name(), err)
		}
	default:
		if v := at.Get("longest"); v.Exists() {
			return v.Errorf(nil, "has no effect without a search")
		}
		if groups, err = grouped(at.Get("groups"), spec.Groups, w.Graph, units); err != nil {
			return err
		}
	}
	p, err := fusion.New(w.Graph, units, groups, o)
	var g *fusion.GroupError
	if errors.As(err, &g) {
		v := at
		if items := at.Get("groups").Items(); g.Group >= 0 && g.Group < len(items) {
			v = items[g.Group]
		}
		return v.Errorf(nil, "%s", g.Msg)
	}
	if err != nil {
		return at.Locate(err)
	}
	w.Source, w.Plan, w.Graph = w.Graph, p, p.Graph
	a.Pad.Planned(p.Peak, p.Kept, p.Spilled)
	a.Notes = append(a.Notes, fmt.Sprintf("mapping.fusion: %d operators in %d groups, %d pieces, at most %d B of the scratchpad; by the plan %d B from and to memory",
		len(units), p.Groups, pieces(p), p.Peak, p.OffChip()))
	return nil
}

// pieces is how many a plan has.
func pieces(p *fusion.Plan) (n int) {
	type key struct {
		op   int
		name string
	}
	seen := map[key]bool{}
	for i, s := range p.Source {
		seen[key{s, p.Graph.Ops[i].Name}] = true
	}
	return len(seen)
}

// findPad finds the scratchpad and its addresses.
func (a *Assignment) findPad(at configs.Value) error {
	for _, n := range a.Sys.Nodes() {
		s, ok := n.(work.Scratchpad)
		if !ok {
			continue
		}
		if a.Pad != nil && a.Pad != s {
			return at.Errorf(nil, "%s and %s both are scratchpads (want one)", a.Pad.Name(), s.Name())
		}
		a.Pad = s
	}
	if a.Pad == nil {
		return at.Errorf(nil, "there is no node of kind scratchpad for results of fused operators")
	}
	base, size, ok := a.Sys.Range(a.Pad)
	if !ok || size < uint64(a.Pad.Capacity()) {
		return at.Errorf(nil, "the memory section has no range of %d B with %s as its only home", a.Pad.Capacity(), a.Pad.Name())
	}
	a.PadBase = base
	return nil
}

// grouped finds the units of groups that are written as names.
func grouped(at configs.Value, groups [][]string, g *graph.Graph, units [][]int) (out [][]int, err error) {
	var errs configs.Errors
	names := make([]string, len(units))
	for u, ops := range units {
		names[u] = g.Ops[ops[0]].Name
	}
	for k, patterns := range groups {
		var group []int
		for i, p := range patterns {
			found := false
			for u, ops := range units {
				if slices.ContainsFunc(ops, func(op int) bool { return matches(p, g.Ops[op].Name) }) {
					found = true
					if !slices.Contains(group, u) {
						group = append(group, u)
					}
				}
			}
			if !found {
				errs.Add(at.Items()[k].Items()[i].Errorf(names, "no operator %q", p))
			}
		}
		if len(patterns) == 0 {
			errs.Add(at.Items()[k].Errorf(nil, "has no operators"))
		}
		out = append(out, group)
	}
	return out, errs.Err()
}

func matches(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok || pattern == name
}

// Address returns the address of a tensor of the graph; base returns that of a placed tensor.
func (w *Workload) Address(a *Assignment, id graph.TensorID, base func(graph.TensorID) uint64) uint64 {
	if w.Plan == nil {
		return base(id)
	}
	p := w.Plan.Place[id]
	if p.Pad {
		return a.PadBase + uint64(p.Offset)
	}
	return base(p.Root) + uint64(p.Offset)
}

// Pieces returns the dependencies and sources of a graph that was cut into pieces, for a
// scheduler.
func (w *Workload) Pieces() (before [][2]int32, source []work.Piece) {
	if w.Plan == nil {
		return w.Before, nil
	}
	for _, op := range w.Plan.Source {
		source = append(source, work.Piece{Op: op, Name: w.Source.Ops[op].Name})
	}
	return w.Plan.Before, source
}
