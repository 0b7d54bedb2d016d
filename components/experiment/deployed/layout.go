package deployed

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Layout is how the chips of a server share a model.
type Layout struct {
	Tensor       int `yaml:"tensor" jsonschema:"minimum=0,maximum=1024" doc:"Ranks that share the heads of attention, and feed-forward parts without experts; 0: one"`
	Pipeline     int `yaml:"pipeline" jsonschema:"minimum=0,maximum=1024" doc:"Stages of layers; 0: one"`
	Data         int `yaml:"data" jsonschema:"minimum=0,maximum=1024" doc:"Groups of ranks with attention of other requests each, which share the experts; 0: one"`
	ExpertTensor int `yaml:"expert_tensor" jsonschema:"minimum=0,maximum=1024" doc:"Ranks that share the width of each expert; 0: as many as are left of tensor x data"`
	Expert       int `yaml:"expert" jsonschema:"minimum=0,maximum=1024" doc:"Ranks that share the experts; 0: one"`
	Machine      int `yaml:"machine" jsonschema:"minimum=0,maximum=1024" doc:"Chips of the server. A layout of n x n ranks with experts, which are more, counts each rank of attention and of experts: it has n. Others are cut down to the machine. Tensor ranks come first; 0: no bound"`
}

// Normal is the layout with its defaults: attention and experts have equally many ranks.
func (l Layout) Normal() Layout {
	l.Tensor, l.Pipeline, l.Data, l.Expert = max(l.Tensor, 1), max(l.Pipeline, 1), max(l.Data, 1), max(l.Expert, 1)
	if m, n := l.Machine, l.Tensor*l.Data; m > 0 && n > m {
		if root := int(math.Sqrt(float64(n)) + 0.5); root*root == n && (l.Expert > 1 || l.ExpertTensor > 1) {
			m = min(m, root)
		}
		l.Tensor = min(l.Tensor, m)
		l.Data = min(l.Data, m/l.Tensor)
		l.Expert = min(l.Expert, m)
	}
	n := l.Tensor * l.Data
	l.Expert = min(l.Expert, n)
	l.ExpertTensor = max(n/l.Expert, 1)
	return l
}

// Chips is the number of chips of an instance.
func (l Layout) Chips() int {
	l = l.Normal()
	return l.Tensor * l.Data * l.Pipeline
}

func (l Layout) check(experts int) error {
	if l.Tensor*l.Data != l.Expert*l.ExpertTensor {
		return fmt.Errorf("%d ranks of attention and %d of experts (tensor x data, and expert x expert_tensor; want as many)", l.Tensor*l.Data, l.Expert*l.ExpertTensor)
	}
	if experts > 0 && experts%l.Expert != 0 {
		return fmt.Errorf("%d experts are not shared evenly by %d ranks (expert)", experts, l.Expert)
	}
	return nil
}

// Types are the element types of a deployed model.
type Types struct {
	Weight    graph.DType // of products in layers, and of the activations that they read
	Attention graph.DType // of the products around attention and other mixers
	Experts   graph.DType // of the experts' weights
	Shared    graph.DType // of experts that every token goes to
	Token     graph.DType // of tokens that experts read
	KV        graph.DType // of cached keys and values
}

// Fusion is which kernels of the vector unit an engine makes parts of others.
type Fusion string

const (
	FuseAll   Fusion = "all"   // attention, the all-reduce and the kernels before products take them in
	FuseNorms Fusion = "norms" // norms take in sums, norms and activations a quantisation to one scale
)

// Check returns the error of an unknown name. The empty one is FuseAll.
func (f Fusion) Check() error {
	if f == "" || f == FuseAll || f == FuseNorms {
		return nil
	}
	return fmt.Errorf("unknown value %q (want one of: %s, %s)", f, FuseAll, FuseNorms)
}
