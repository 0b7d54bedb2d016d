package walk

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Most is how many steps Estimate walks.
const Most = 1 << 14

// An Engine is the DMA engine and the memory as the walk of a plan's steps sees them.
type Engine struct {
	Stays   []bool           // by tensor: its transfers are left out; nil: none are
	Kept    []graph.TensorID // the same
	Mem     *machine.Memory
	next    int64 // first cycle in which a request may be issued
	channel int64 // the memory is busy until then
	bytes   int64 // moved
	way     []underway
	open    int64 // requests of way
}

// An underway is the requests of a transfer that may be without an answer; the answers come
// evenly from a cycle on to another.
type underway struct{ requests, from, to int64 }

// room is the first cycle in which so many requests more may be issued.
func (x *Engine) room(n int64) (at int64) {
	most := x.Mem.Outstanding
	for over := x.open + min(n, most) - most; most > 0 && over > 0; {
		w := &x.way[0]
		some := min(over, w.requests)
		w.from += (w.to - w.from) * some / w.requests
		at = max(at, w.from)
		w.requests -= some
		x.open -= some
		if over -= some; w.requests == 0 {
			x.way = x.way[:copy(x.way, x.way[1:])]
		}
	}
	return at
}

// move issues transfers at a cycle or as soon as may be after it, and returns when the last
// answer has come.
func (x *Engine) move(all []dma.Transfer, gate int64) (arrive int64) {
	for i := range all {
		if x.left(all[i].Tensor) {
			continue
		}
		t := all[i].Contiguous()
		bytes := t.Bytes()
		n := max(1, x.Mem.Requests(t.Rows*t.Planes, t.RowBytes))
		first := max(x.next, gate, x.room(1))
		last := max(first+n-1, x.room(n))
		busy := max(x.Mem.Busy(bytes, 0), n)
		if most := x.Mem.Outstanding; most > 0 && n > most { // the last ones wait for the first
			busy = max(busy, integer.Ceil(n*x.Mem.Latency, most))
			last = max(last, first+busy-busy*most/n)
		}
		x.channel = max(max(x.channel, first)+busy, last+busy/n)
		x.next = last + 1
		arrive = x.channel + x.Mem.Latency
		x.bytes += bytes
		if k := min(n, x.Mem.Outstanding); k > 0 {
			x.way = append(x.way, underway{k, arrive - busy*k/n, arrive})
			x.open += k
		}
	}
	return arrive
}

// left reports whether the transfers of a tensor are left out.
func (x *Engine) left(id graph.TensorID) bool {
	return id >= 0 && (x.Stays != nil && x.Stays[id] || len(x.Kept) > 0 && slices.Contains(x.Kept, id))
}

// Run is how many cycles the steps take by the rules of Step, each transfer as a
// whole. It ends after so many steps, and says how many cycles the array worked in them and
// how many bytes moved. Past a limit of cycles it ends too.
func Run(w machine.Stepper, x Engine, steps, limit int64) (cycles, work, bytes int64) {
	var (
		st             dma.Step
		stores         [2][]dma.Transfer
		done           [2]int64
		previous, last int64
	)
	for i := int64(0); ; i++ {
		last = max(last, x.move(stores[i%2], done[i%2]))
		stores[i%2] = stores[i%2][:0]
		if i == steps || previous > limit || !w.Next(&st) {
			last = max(last, x.move(stores[(i+1)%2], done[(i+1)%2]))
			return max(previous, last), work, x.bytes
		}
		start := max(previous, x.move(st.Loads, done[i%2]))
		if len(st.Loads) == 0 {
			start = max(start, x.next, done[i%2])
		}
		previous = start + st.Cycles
		work += st.Cycles
		done[i%2] = previous
		stores[i%2] = append(stores[i%2], st.Stores...)
	}
}
