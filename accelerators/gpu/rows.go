package gpu

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Kernels of servers that have a thread block for each row, so that rows go in rounds: an SM
// of 1,536 threads holds one block of 1,024. Source: vLLM, csrc/layernorm_kernels.cu,
// activation_kernels.cu, pos_encoding_kernels.cu.
const (
	wideBlock, narrowBlock = 1024, 256 // threads of a row of an rms norm
	narrowFrom             = 256       // rows from which blocks are narrow
	layerBlock             = 128       // of a row of a layer norm: PyTorch, layer_norm_kernel.cu
	gateBlock              = 1024      // of a row of a gated activation
	turnBlock              = 512       // of a row of a rotary embedding, each with a pair of elements
)

// fewRows is how many rows a gather copies one after the other: a thread waits for an index
// and for its element. Source: PyTorch, Indexing.cu, indexSelectSmallIndex.
const fewRows = 16

// rowsOf is the rows of an operator's result: all its dimensions but the last.
func rowsOf(g *graph.Graph, op *graph.Op) int64 {
	if len(op.Out) == 0 {
		return 0
	}
	rows := int64(1)
	if s := g.Tensor(op.Out[0]).Shape; len(s) > 0 {
		for _, n := range s[:len(s)-1] {
			rows *= int64(n)
		}
	}
	return rows
}

// normThreads is the threads of a row of a norm.
func normThreads(k graph.Norm) float64 {
	block := int64(layerBlock)
	if k.Func == "rms" {
		if block = narrowBlock; k.Rows < narrowFrom {
			block = wideBlock
		}
	}
	return float64(min(block, max(k.Cols, 32)))
}

// gateVector is the elements that a thread of a gated activation loads at a time.
const gateVector = 8

// rowKernel says how a gated activation and a rotary embedding of so many rows go.
//
// assumption: loads of a gated activation wait for memory one after the other, those of a
// rotary embedding, but for the first, for the L2.
func rowKernel(m *kernel.Machine, k graph.Elementwise, rows int64, s *kernel.Stream) {
	if rows == 0 {
		return
	}
	each := float64(k.Elements) / float64(rows)
	switch {
	case k.Func == "rope":
		s.Blocks, s.Threads = float64(rows), min(turnBlock, max(each/2, 32))
		s.Block = m.Latency + each/2/s.Threads*m.Near
	case k.Inputs == 2 && gates[k.Func]:
		s.Blocks, s.Threads = float64(rows), min(gateBlock, max(each, 32))
		s.Block = math.Ceil(each/s.Threads/gateVector) * m.Latency
	}
}

// gates are the functions of gated activations.
var gates = map[string]bool{"silu": true, "gelu": true}

// streamOf says what a gather or an elementwise operator of elements of size bytes does
// besides reading and writing in order.
func streamOf(m *kernel.Machine, sh *shape, size float64, s *kernel.Stream) {
	switch k := sh.kind.(type) {
	case graph.Gather:
		s.Ops = 0
		if k.Rows > k.Table { // rows that are wanted again
			s.Near = float64(k.Rows-k.Table) * float64(k.Cols) * size
			s.Read -= s.Near
		}
		if k.Rows <= fewRows {
			s.Serial = 2 * float64(max(k.Rows-1, 0))
		}
	case graph.Elementwise:
		rowKernel(m, k, sh.rows, s)
	}
}

// Chunks of a scan, in which tokens are products of matrices.
//
// assumption: 128 tokens, as the kernels of Mamba-2 have it by default; its five kernels read what those
// before them have left in memory, and the matrix units reach half of their rate. Source: Dao, Gu,
// arXiv 2405.21060, section 6.
const (
	scanChunk   = 128
	scanKernels = 5
	scanShare   = 0.5
)

// chunked is the cost of a recurrence without a kernel of a library: of a few tokens or of a
// convolution by its operations, else by products of chunks of tokens.
func chunked(m *kernel.Machine, k *graph.Recurrence, s kernel.Stream) kernel.Cost {
	if k.Sequence < leastScan || k.Func == "causal_conv1d" {
		return m.Stream(s)
	}
	s.Ops = 0
	cost := m.Stream(s)
	chunk := float64(min(k.Sequence, scanChunk))
	each := chunk/2*float64(k.State+k.Size) + 2*float64(k.State)*float64(k.Size) // products of a token of a head
	products := float64(k.Batch) * float64(k.Sequence) * float64(k.Heads) * each
	launches := (scanKernels - 1) * m.Launch
	work := products / (float64(m.SMs) * m.Clock * max(m.Tensor, m.Vector) * m.Sustained * scanShare)
	cost.Compute = max(cost.Compute, work)
	cost.Total = max(cost.Total, m.Launch+work) + launches
	cost.Launch += launches
	return cost
}

// leastScan is the tokens from which a scan goes by chunks.
const leastScan = 16
