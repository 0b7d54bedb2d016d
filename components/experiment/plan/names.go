package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// Pick returns the workers named by a pattern of the configuration.
func (a *Assignment) Pick(at configs.Value, names string) ([]int, error) {
	if names == "" {
		if len(a.Workers) == 0 {
			return nil, at.Errorf(nil, "there is a workload, but no node that can carry it out (%s)", a.noWorker())
		}
		out := make([]int, len(a.Workers))
		for i := range out {
			out[i] = i
		}
		return out, nil
	}
	places := map[string]int{}
	for i, w := range a.Workers {
		places[w.Name()] = i
	}
	var out []int
	taken := map[int]bool{}
	for _, name := range splitNames(names) {
		nodes, err := a.named(name)
		if err != nil {
			return nil, at.Errorf(nil, "%s: %s", name, err)
		}
		if len(nodes) == 0 {
			var have []string
			for _, w := range a.Workers {
				have = append(have, withoutIndices(w.Name()))
			}
			slices.Sort(have)
			return nil, at.Errorf(slices.Compact(have), "no node %q", name)
		}
		for _, n := range nodes {
			i, works := places[n.Name()]
			if !works {
				return nil, at.Errorf(nil, "%s cannot carry out a workload", n.Name())
			}
			if taken[i] {
				return nil, at.Errorf(nil, "%s is named twice", n.Name())
			}
			taken[i] = true
			out = append(out, i)
		}
	}
	return out, nil
}

// noWorker is the error text for a system without workers: it names the occupied nodes, or else
// the kinds that execute workloads.
func (a *Assignment) noWorker() string {
	var why []string
	for _, n := range a.Sys.Nodes() {
		if x, ok := n.(system.Occupied); ok {
			why = append(why, x.NoWorker()+", which is all that it does")
		}
	}
	if why == nil {
		return "kinds: " + strings.Join(system.WorkerKinds(), ", ")
	}
	return strings.Join(why, "; ")
}

// splitNames cuts a list of names at the commas that stand outside of brackets.
func splitNames(s string) (out []string) {
	depth, from := 0, 0
	for i, r := range s {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// named lists the nodes that a name of the configuration stands for: one node,
// an array or the elements of it that brackets select, all of a kind inside an array of groups
// (Tile.Core is every Tile[i].Core, Tile[0..1].Core those of two), or everything inside a group
// that carries out operators. Elements are in the order of the selection.
func (a *Assignment) named(name string) ([]system.Node, error) {
	if n := a.Sys.Node(name); n != nil {
		return []system.Node{n}, nil
	}
	if nodes := a.Sys.Array(name); len(nodes) > 0 {
		return nodes, nil
	}
	var all []member
	for _, n := range a.Sys.Nodes() {
		all = append(all, member{n, stepsOf(n.Name())})
	}
	steps := stepsOf(name)
	found, err := selectMembers(all, steps, 0)
	var out []system.Node
	for _, m := range found {
		if _, ok := m.node.(worker); ok || len(m.steps) == len(steps) {
			out = append(out, m.node)
		}
	}
	return out, err
}

// A member is a node and the parts of its name: groups, and itself.
type member struct {
	node  system.Node
	steps []step
}

// A step is a part of a name and what stands in brackets after it.
type step struct {
	name, index string
	indexed     bool
}

// stepsOf are the parts of a name.
func stepsOf(name string) (out []step) {
	for part := range strings.SplitSeq(dots(name), "\x00") {
		s := step{name: part}
		if i := strings.IndexByte(part, '['); i >= 0 {
			s = step{part[:i], strings.TrimSuffix(part[i+1:], "]"), true}
		}
		out = append(out, s)
	}
	return out
}

// dots is a name with another sign for each dot outside of brackets.
func dots(name string) string {
	depth := 0
	return strings.Map(func(r rune) rune {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == '.' && depth == 0:
			return 0
		}
		return r
	}, name)
}

// selectMembers are those that the steps of a name from depth on select.
func selectMembers(all []member, steps []step, depth int) ([]member, error) {
	if depth == len(steps) {
		return all, nil
	}
	at := steps[depth]
	var same []member
	by, n := map[int][]member{}, 0 // elements
	for _, m := range all {
		if len(m.steps) <= depth || m.steps[depth].name != at.name {
			continue
		}
		same = append(same, m)
		if i, err := strconv.Atoi(m.steps[depth].index); err == nil {
			by[i], n = append(by[i], m), max(n, i+1)
		}
	}
	if !at.indexed || len(same) == 0 {
		return selectMembers(same, steps, depth+1)
	}
	if n == 0 {
		return nil, fmt.Errorf("%s is no array", at.name)
	}
	chosen, err := configs.Indices(at.index, n)
	var out []member
	for _, i := range chosen {
		some, err := selectMembers(by[i], steps, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, err
}

// withoutIndices is Tile.Core for Tile[3].Core[0].
func withoutIndices(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
