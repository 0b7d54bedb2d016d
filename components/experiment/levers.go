package experiment

import "fmt"

// A WorkloadLever is a change of the workload that may reduce the cost of each of its parts.
type WorkloadLever struct {
	Text string   // "batch"
	Sets []string // PATH=VALUE
	Work float64  // work of the changed run, as a multiple
}

// Levers lists changes of the workload that may reduce the cost of each of its parts, such as a
// batch twice as large. The experiment must be built.
func (x *Experiment) Levers() (out []WorkloadLever) {
	if x.built == nil || len(x.built.Loads) != 1 || len(x.built.Jobs) > 0 {
		return nil // what others are timed against, or who makes the batches
	}
	w := x.built.Loads[0]
	if w.Spec.Batch < 1 || w.Trains() {
		return nil
	}
	return []WorkloadLever{{"batch", []string{fmt.Sprintf("%s.batch=%d", w.At.Path(), 2*w.Spec.Batch)}, 2}}
}

// longOperators is the number of operators from which on a run counts as long.
//
// assumption: LLaMA-3 8B on a core takes a second, and so does BERT base on four
// cores of a network; ResNet-50 takes a tenth.
const longOperators = 100

// A Part is a shorter run that represents a long one: its settings and a description.
type Part struct {
	Set  []string
	Text string // "layer 16 of 32, ..."; "" where the settings say it
}

// Shorter returns settings for a shorter run that represents this long one. It has no settings if
// the run is short or has simulation.repeat. The experiment must be built. Whether the nodes
// accept the settings is known when the experiment is loaded with them.
//
// For a model with repeating layers it is the same run with sampled layers. For a served model
// whose operators are issued it is the middle layer, with prompts and answers shortened in
// proportion.
func (x *Experiment) Shorter() Part {
	if x.built == nil {
		return Part{}
	}
	if len(x.built.Jobs) > 0 {
		return x.servedPart()
	}
	n := 0
	for _, w := range x.built.Loads {
		n += len(w.Graph.Ops)
	}
	if n < longOperators || x.sim.Repeat != "" {
		return Part{}
	}
	return Part{Set: []string{"simulation.repeat=" + sampled}}
}
