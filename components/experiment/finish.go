package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// unfinished lists the nodes that have not done all their work. A run that has
// ended with nothing left to happen must have none: whatever a model forgets to
// start or to wait for comes out here.
func (a *assembly) unfinished() []error {
	var out []error
	for _, n := range a.nodes() {
		p, ok := n.(system.Worker)
		if !ok {
			continue
		}
		if done, total := p.Progress(); done != total {
			out = append(out, fmt.Errorf("%s has done %d of %d parts of its work", n.Name(), done, total))
		}
	}
	return out
}

// warnings lists what was decided before the run, what workloads leave out and what nodes
// doubt about their input,
// each once, sorted.
func (a *assembly) warnings() []string {
	out := slices.Clone(a.Notes)
	for _, w := range a.Loads {
		out = append(append(out, w.Graph.Notes...), w.Notes()...)
	}
	for _, n := range a.nodes() {
		if s, ok := n.(system.Warner); ok {
			out = append(out, s.Warnings()...)
		}
	}
	if a.periods != nil {
		for _, d := range a.periods.Doubts() {
			out = append(out, "simulation.repeat: "+d+".")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// assumptions lists what the nodes of the system assume where no source gives a
// figure, each once, sorted.
func (a *assembly) assumptions() []string {
	out := slices.Clone(a.said)
	for _, n := range a.nodes() {
		if s, ok := n.(system.Assumer); ok {
			out = append(out, s.Assumptions()...)
		}
	}
	out = append(out, a.stayed()...)
	slices.Sort(out)
	return slices.Compact(out)
}

// stayed lists the metrics of a sampled run that only its simulated part determines: the contents
// of nodes at the end are not extended by skipped layers.
func (a *assembly) stayed() []string {
	var names []string
	for _, n := range a.nodes() {
		g := n.Stats()
		for _, s := range g.Stayed() {
			names = append(names, g.Where()+"."+s)
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf("These metrics are of the parts of the run that were simulated alone, and may be far from those of all of it (simulation.repeat): %s.", strings.Join(names, ", "))}
}

// conserved compares the work of all nodes with that of the workloads, so that a run that ended
// early or executed a layer twice is not complete.
func (a *assembly) conserved(ms []stats.Metric) []error {
	var done float64
	given := map[string]bool{} // nodes that carry out workloads; others bring work of their own
	for _, w := range a.Workers {
		given[w.Name()] = true
	}
	for _, m := range ms {
		if m.Name == "macs" && m.Phase == "all" && given[m.Where] {
			done += m.Value
		}
	}
	var want float64
	want = float64(a.batches) // of servers
	for i, w := range a.Loads {
		if w.Batch > 1 || w.Served() {
			continue // counted request by request, or batch by batch
		}
		n := w.Repeats()
		if w.Job != nil {
			n -= int64(w.Job.Scheduler.Dropped(int32(i)))
			if f, ok := w.Job.Scheduler.(work.FormSwitcher); ok {
				n += int64(f.Moved(int32(i)))
			}
		}
		want += float64(w.Graph.MACs()) * float64(n)
	}
	if done == want {
		return nil
	}
	return []error{fmt.Errorf("the workloads have %s multiply-accumulates, the nodes did %s", result.Number(want), result.Number(done))}
}
