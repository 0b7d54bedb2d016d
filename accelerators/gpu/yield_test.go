package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A taker has some SMs, and bytes of each second, all the time.
type taker struct {
	work.Communicator
	sms, bytes float64
}

func (taker) Note() {}
func (x taker) Taken(from, to units.Time) work.Taking {
	n := float64(to-from) / float64(units.Second)
	out := work.Taking{SMs: x.sms * n, Bytes: x.bytes * n}
	if x.sms > 0 {
		out.Time = n
	}
	return out
}

// played are the times of the first operator of g, n times in a row, on a chip beside transfers.
func played(s Spec, g *graph.Graph, n int, beside taker) (out []layer) {
	c := New("Chip", engine.New(), s)
	c.Yields(beside)
	var start uint64
	for range n {
		c.came(work.Issued{})
		l := c.layer(&work.Share{Graph: g}, 0, start)
		start += l.cycles
		out = append(out, l)
	}
	return out
}

// What a kernel could not do without the SMs of transfers follows with the next operator.
func TestSMsThatTransfersTake(t *testing.T) {
	s := DefaultSpec()
	s.Architecture = "sm80"
	g := list(t, "name,op,m,n,k,dtype\na,gemm,4096,4096,4096,bf16\n")
	alone, shared := played(s, g, 3, taker{}), played(s, g, 3, taker{sms: float64(s.SMs) / 10})
	require.Equal(t, alone[0].cycles, shared[0].cycles, "nothing was before the first")
	for i := range alone {
		require.Equal(t, alone[0].cycles, alone[i].cycles)
	}
	require.InEpsilon(t, float64(alone[1].cycles)+float64(alone[0].compute)/10, float64(shared[1].cycles), 1e-3)
	require.Equal(t, shared[2].cycles-alone[2].cycles, shared[2].compute-alone[2].compute)
	require.Greater(t, shared[2].cycles, shared[1].cycles, "what followed was slowed too")
}

// Thread blocks of a persistent product that find no SM begin when the others have ended: it takes twice
// as long beside a transfer of any blocks, three times if these take more than half of the SMs. Kernels
// of other libraries and products of one round take the other SMs' rate.
func TestPersistentProductsBesideTransfers(t *testing.T) {
	s := DefaultSpec()
	s.Architecture, s.SMs, s.Kernels.Library = "sm90", 132, "trtllm"
	g := list(t, "name,op,m,n,k,dtype\na,gemm,8192,8192,8192,bf16\n")
	for taken, times := range map[float64]float64{1: 2, 16: 2, 64: 2, 70: 3} {
		alone, shared := played(s, g, 40, taker{}), played(s, g, 40, taker{sms: taken})
		require.Greater(t, alone[39].rounds, 1)
		require.InEpsilon(t, float64(alone[39].compute)*times, float64(shared[39].compute), 5e-3, "%g SMs", taken)
	}
	for architecture, tiles := range map[string]string{"sm80": "auto", "sm90": "dynamic"} {
		s.Architecture, s.Kernels.Tiles = architecture, tiles
		alone, shared := played(s, g, 40, taker{}), played(s, g, 40, taker{sms: 13.2})
		require.InEpsilon(t, float64(alone[39].compute)/0.9, float64(shared[39].compute), 5e-3, architecture)
	}
}

// A kernel that waits for the memory lacks the bandwidth that transfers take, and one of products
// does not.
func TestBandwidthThatTransfersTake(t *testing.T) {
	s := DefaultSpec()
	s.Architecture = "sm90"
	tenth := float64(s.Memory) / 8 / 10
	for what, rows := range map[string]string{"memory": "name,op,rows,cols,dtype\na,add,16384,16384,bf16\n", "products": "name,op,m,n,k,dtype\na,gemm,4096,4096,4096,bf16\n"} {
		g := list(t, rows)
		alone, shared := played(s, g, 2, taker{}), played(s, g, 2, taker{bytes: tenth})
		require.Equal(t, alone[0].cycles, shared[0].cycles)
		require.InEpsilon(t, float64(alone[1].cycles)+float64(alone[0].memory)/10, float64(shared[1].cycles), 1e-3, what)
		if what == "memory" {
			require.Greater(t, alone[0].memory, alone[0].cycles*8/10, "bound by the memory")
		} else {
			require.Less(t, alone[0].memory, alone[0].cycles/20, "bound by products")
		}
	}
}

// A chip waits for calls of the host since that has read, whatever its clock; what it does meanwhile is not lost.
func TestCallsOfTheHost(t *testing.T) {
	g := &graph.Graph{Name: "g"}
	in, out := g.Add(graph.Tensor{Name: "x", Shape: []int{1}, DType: graph.FP32}), g.Add(graph.Tensor{Name: "y", Shape: []int{700}, DType: graph.FP32})
	g.Append(graph.Op{Name: "host", In: []graph.TensorID{in}, Out: []graph.TensorID{out}, Kind: graph.Move{Func: graph.HostCalls, Elements: 700}})
	for _, call := range []units.Time{13480 * units.Nanosecond, 37080 * units.Nanosecond, 0} {
		s := DefaultSpec()
		s.Architecture, s.Host.Call = "sm90", units.InTime(call)
		l := played(s, g, 1, taker{})[0]
		require.InDelta(t, 700*float64(call)/float64(units.Nanosecond), s.Clock.Nanoseconds(l.cycles), 700*s.Clock.Nanoseconds(1))
		require.Equal(t, l.cycles, l.launch)
		require.Zero(t, l.bytes)

		c := New("Chip", engine.New(), s)
		read := *g
		read.Ops = []graph.Op{g.Ops[0]}
		read.Ops[0].Kind = graph.Move{Func: graph.HostReads, Elements: 1}
		require.Zero(t, c.layer(&work.Share{Graph: &read}, 0, 5000).cycles)
		require.Equal(t, l.cycles-min(l.cycles, 3000), c.layer(&work.Share{Graph: g}, 0, 8000).cycles)
	}
}
