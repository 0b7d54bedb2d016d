package experiment

import "fmt"

// A WorkloadLever is a change of the workload that may make each part of it cheaper.
type WorkloadLever struct {
	Text string   // "batch"
	Sets []string // PATH=VALUE
	Work float64  // how many times the work is done
}

// Levers lists the changes of the workload that may make each of its parts cheaper: a batch
// twice as large. The experiment must be built.
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

// A Part is what stands for a long run: the settings that make it, and what it is in words.
type Part struct {
	Set  []string
	Text string // "layer 16 of 32, ..."; "" where the settings say it
}

// Shorter is a part of a long run that takes a part of its time and stands for it; it has no
// settings where the run is short, or says itself how it repeats. The experiment must be built.
// Whether the nodes can do it comes out when it is loaded with them.
//
// Of a model whose layers repeat it is the same run with layers sampled. Of a served model whose
// operators are issued it is the layer in the middle, with prompts and answers shortened alike.
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
