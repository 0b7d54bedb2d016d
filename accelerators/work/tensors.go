package work

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Tensors describes the tensors of one workload to the memory system. The hints of all cores of
// the workload point to it. Before the run each core adds the bytes that it will load.
type Tensors struct {
	list  []memory.Tensor
	loads []int64 // bytes, of all cores
	cores []uint16
}

// Describe returns the Tensors of a graph, without addresses and loads.
func Describe(g *graph.Graph) *Tensors {
	t := &Tensors{list: make([]memory.Tensor, len(g.Tensors)), loads: make([]int64, len(g.Tensors)), cores: make([]uint16, len(g.Tensors))}
	read := make([]bool, len(g.Tensors))
	for _, op := range g.Ops {
		for _, id := range op.In {
			if id != graph.None {
				read[id] = true
			}
		}
	}
	for i := range g.Tensors {
		x := &g.Tensors[i]
		t.list[i] = memory.Tensor{Name: x.Name, Bytes: uint64(x.Bytes()), Kind: x.Role, WriteOnce: x.Role == graph.Output && !read[i]}
	}
	return t
}

// Expect sets the address of a tensor, and adds a core that will load so many bytes of it.
func (t *Tensors) Expect(id graph.TensorID, base uint64, load int64) {
	x := &t.list[id]
	x.Base = base
	if load <= 0 {
		return
	}
	t.loads[id] += load
	t.cores[id]++
	times := uint32(min((t.loads[id]+int64(x.Bytes)-1)/max(int64(x.Bytes), 1), 1<<31))
	// No more cores read a byte than it is loaded times.
	x.Sharers = uint16(min(uint32(t.cores[id]), times))
	// Weights lie in the order in which they are loaded. Others are loaded in rows
	// whose ends share lines: a line is accessed more often than its bytes are.
	if x.Kind == graph.Weight {
		x.Accesses = times
	}
}

// Of returns the description of a tensor; nil for nil Tensors.
func (t *Tensors) Of(id graph.TensorID) *memory.Tensor {
	if t == nil {
		return nil
	}
	return &t.list[id]
}
