package motif

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// Training is the parameters of training.
type Training struct {
	Steps        `yaml:",inline"`
	Tensor       int         `yaml:"tensor" doc:"Ranks that share each layer; the rest of the ranks are replicas and stages"`
	Pipeline     int         `yaml:"pipeline" doc:"Stages; ranks / (tensor * pipeline) are replicas"`
	Layers       int         `yaml:"layers" doc:"Layers of the model, a multiple of pipeline"`
	Microbatches int         `yaml:"microbatches" doc:"Microbatches of each replica in a step"`
	Forward      units.Time  `yaml:"forward" doc:"Computation of a rank in a layer's pass forward of a microbatch"`
	Backward     units.Time  `yaml:"backward" doc:"Computation of a rank in a layer's pass back of a microbatch"`
	Activation   units.Bytes `yaml:"activation" doc:"Bytes of a layer's result of a microbatch: what ranks of a layer add up twice in each pass, and stages pass on"`
	Gradient     units.Bytes `yaml:"gradient" doc:"Bytes of a rank's gradients of a layer, which replicas add up as soon as the last microbatch has been there"`
}

func init() {
	add("training", "A step of training: tensor, pipeline (1F1B) and data parallelism; replicas add up gradients while the pass back goes on.",
		"Narayanan et al., Efficient large-scale language model training on GPU clusters using Megatron-LM, SC 2021, sections 2 and 3.1",
		Training{Steps: Steps{Steps: 1}, Tensor: 1, Pipeline: 1, Layers: 4, Microbatches: 4, Forward: 100 * units.Microsecond, Backward: 200 * units.Microsecond, Activation: 1 << 20, Gradient: 1 << 20}, training)
}

// maxVector bounds the bytes of a layer's results and gradients.
const maxVector = 1 << 40

func (s *Training) check(p *comm.Program) error {
	switch n := len(p.Ranks); {
	case s.Tensor < 1 || s.Pipeline < 1 || s.Tensor > n || s.Pipeline > n || n%(s.Tensor*s.Pipeline) != 0:
		return fmt.Errorf("tensor is %d and pipeline is %d (want 1 or more, whose product divides %d ranks)", s.Tensor, s.Pipeline, n)
	case s.Layers < 1 || s.Layers > maxCells || s.Layers%s.Pipeline != 0:
		return fmt.Errorf("layers is %d (want a multiple of %d stages, at most %d)", s.Layers, s.Pipeline, maxCells)
	case s.Microbatches < 1 || s.Microbatches > maxCells:
		return fmt.Errorf("microbatches is %d (want 1 to %d)", s.Microbatches, maxCells)
	case s.Forward > maxCompute || s.Backward > maxCompute:
		return fmt.Errorf("forward is %s and backward is %s (want at most %s)", s.Forward, s.Backward, maxCompute)
	case s.Activation < 1 || s.Activation > maxVector || s.Gradient < 1 || s.Gradient > maxVector:
		return fmt.Errorf("activation is %s and gradient is %s (want 1B to %s)", s.Activation, s.Gradient, units.Bytes(maxVector))
	}
	layers := s.Layers / s.Pipeline
	return s.Steps.check(p, s.Microbatches*(8*layers+4)+layers+2)
}

// A trainer writes the operations of one rank: part t of replica d of stage s is rank
// (s*data + d)*tensor + t.
type trainer struct {
	Training
	comm.Thread
	stage         int
	before, after int32 // the same part of the stages before and after
	part, replica int32 // communicators
	data          int
	open          []int // operations that the end of the step waits for
}

func training(p *comm.Program, s Training) error {
	if err := s.check(p); err != nil {
		return err
	}
	p.Parts = s.Steps.Steps
	data := len(p.Ranks) / (s.Tensor * s.Pipeline)
	among := func(first, stride, n int) int32 {
		members := make([]int32, n)
		for i := range members {
			members[i] = int32(first + i*stride)
		}
		return p.Group(members)
	}
	parts, replicas := make([]int32, s.Pipeline*data), make([]int32, s.Pipeline*s.Tensor)
	for i := range parts {
		parts[i] = among(i*s.Tensor, 1, s.Tensor)
	}
	for i := range replicas {
		replicas[i] = among(i/s.Tensor*data*s.Tensor+i%s.Tensor, s.Tensor, data)
	}
	for r := range p.Ranks {
		width := data * s.Tensor
		t := trainer{
			Training: s, Thread: comm.Thread{Rank: &p.Ranks[r]}, stage: r / width, data: data,
			before: int32(r - width), after: int32(r + width), part: parts[r/s.Tensor], replica: replicas[r/width*s.Tensor+r%s.Tensor],
		}
		for range s.Steps.Steps {
			t.step()
		}
	}
	return nil
}

// step is one forward and one backward in turn, after as many forward as there are stages ahead.
func (t *trainer) step() {
	ahead := min(t.Microbatches, t.Pipeline-1-t.stage)
	t.open = t.open[:0]
	for m := range t.Microbatches + ahead {
		if m < t.Microbatches {
			t.forward(m)
		}
		if m >= ahead {
			t.backward(m - ahead)
		}
	}
	t.Wait(t.open...)
	t.Compute(t.Steps.Compute)
}

func (t *trainer) forward(m int) {
	if t.stage > 0 {
		t.Do(comm.Op{Kind: comm.Recv, Peer: t.before, Tag: int64(2 * m), Bytes: uint64(t.Activation)}, true)
	}
	for range t.Layers / t.Pipeline {
		t.layer(t.Forward)
	}
	if t.stage < t.Pipeline-1 {
		t.open = append(t.open, t.Do(comm.Op{Kind: comm.Send, Peer: t.after, Tag: int64(2 * m), Bytes: uint64(t.Activation)}, false))
	}
}

func (t *trainer) backward(m int) {
	if t.stage < t.Pipeline-1 {
		t.Do(comm.Op{Kind: comm.Recv, Peer: t.after, Tag: int64(2*m + 1), Bytes: uint64(t.Activation)}, true)
	}
	for range t.Layers / t.Pipeline {
		t.layer(t.Backward)
		if m == t.Microbatches-1 && t.data > 1 {
			t.open = append(t.open, t.Do(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Group: t.replica, Bytes: uint64(t.Gradient)}, false))
		}
	}
	if t.stage > 0 {
		t.open = append(t.open, t.Do(comm.Op{Kind: comm.Send, Peer: t.before, Tag: int64(2*m + 1), Bytes: uint64(t.Activation)}, false))
	}
}

// layer computes for a time, whose halves each end with a sum over the parts.
func (t *trainer) layer(time units.Time) {
	for _, half := range []units.Time{time / 2, time - time/2} {
		t.Compute(half)
		if t.Tensor > 1 {
			t.Do(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Group: t.part, Bytes: uint64(t.Activation)}, true)
		}
	}
}
