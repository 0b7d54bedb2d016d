package item

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/configs"
)

// A period is the clock of a node.
type period struct{ clock.Clock }

// at returns the time of a cycle, in the clock of the node's tasks.
func (p period) at(cycle uint64) int64 { return ps(float64(instant.Of(p.Clock, cycle))) }

// periods are the clocks of nodes by name.
func (r *recorder) periods() map[string]period {
	out := map[string]period{}
	for i, n := range r.nodes {
		if c, ok := r.clockOf(int32(i)); ok {
			out[n.Name()] = period{c}
		}
	}
	return out
}

// findLayer is the row of a layer that took longest; of equal ones the one that ended last.
func findLayer(res *result.Result, r *recorder, q Query) (*found, error) {
	if res.Layers == nil {
		return nil, fmt.Errorf("%w: the run has no layers; --request explains a request", ErrUnknown)
	}
	var best *found
	var names []string
	rows, periods := 0, r.periods()
	for n := range res.Layers.Len() {
		w := row{Table: res.Layers, at: n}
		names = append(names, w.text("layer"))
		node := w.text("where")
		start, cycles, ok := w.cycles()
		p, known := periods[node]
		if w.text("layer") != q.Layer || q.Node != "" && node != q.Node || !ok || !known {
			continue
		}
		rows++
		f := &found{from: p.at(start), to: p.at(start + cycles), row: &w, node: node}
		if best == nil || f.to-f.from > best.to-best.from || f.to-f.from == best.to-best.from && f.to > best.to {
			best = f
		}
	}
	if best == nil {
		return nil, unknownLayer(q, names)
	}
	best.name = fmt.Sprintf("layer %s of %s on %s", q.Layer, best.row.text("workload"), best.node)
	if rows > 1 {
		best.notes = append(best.notes, fmt.Sprintf("the longest of the %d that the run has of this name", rows))
	}
	best.id = r.taskOf(q.Layer, best)
	if best.id == 0 && best.to > best.from {
		best.notes = append(best.notes, "no task of it was reported: its row says what it went to")
	}
	return best, nil
}

// taskOf is the task of a layer that ended when f did, on its node; 0 if none was reported.
func (r *recorder) taskOf(layer string, f *found) (id task.ID) {
	for i := range r.spans {
		if s := &r.spans[i]; s.Kind == int32(task.Layer) && s.What == layer && s.End == f.to && r.nodes[s.Node].Name() == f.node {
			id = r.ids[i]
		}
	}
	return id
}

// unknownLayer names the nearest ones.
func unknownLayer(q Query, names []string) error {
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(n string) bool { return n == "" })
	if slices.Contains(names, q.Layer) {
		return fmt.Errorf("%w: layer %q is not on %s", ErrUnknown, q.Layer, q.Node)
	}
	if near := configs.Nearest(q.Layer, names); near != "" {
		return fmt.Errorf("%w: layer %q (did you mean %q?)", ErrUnknown, q.Layer, near)
	}
	if len(names) > mostNames {
		names = append(names[:mostNames:mostNames], "...")
	}
	return fmt.Errorf("%w: layer %q (want one of: %s)", ErrUnknown, q.Layer, strings.Join(names, ", "))
}

// mostNames is how many layers an error lists.
const mostNames = 12
