package mapping

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// mostWalked is how many steps Estimate walks.
const mostWalked = 1 << 14

// Estimate is how many cycles the plan takes alone on its core: its first steps are walked,
// and those after them take as long for their work and their bytes. An attention of more steps, of
// which the later ones see more keys, takes what the closed form says. It is what a run says of
// a layer that has too many steps for it.
func (p *Plan) Estimate() int64 {
	if !p.Matrix || p.own != nil || p.attn != nil && p.Steps > mostWalked {
		return p.Time
	}
	cycles, work, bytes := p.walk(mostWalked, overflow)
	if p.Steps <= mostWalked {
		return cycles
	}
	share := 0.0
	if work > 0 {
		share += float64(p.Cycles) / float64(work) / 2
	}
	if bytes > 0 {
		share += float64(p.Traffic.Total()) / float64(bytes) / 2
	}
	return int64(float64(cycles) * share)
}

// A walked is the DMA engine and the memory as the walk of a plan's steps sees them.
type walked struct {
	stays   []bool           // by tensor: its transfers are left out; nil: none are
	kept    []graph.TensorID // the same
	mem     *Memory
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
func (x *walked) room(n int64) (at int64) {
	most := x.mem.Outstanding
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
func (x *walked) move(all []Transfer, gate int64) (arrive int64) {
	for i := range all {
		if x.left(all[i].Tensor) {
			continue
		}
		t := all[i].Contiguous()
		bytes := t.Bytes()
		n := max(1, x.mem.requests(t.Rows*t.Planes, t.RowBytes))
		first := max(x.next, gate, x.room(1))
		last := max(first+n-1, x.room(n))
		busy := max(x.mem.time(bytes, 0), n)
		if most := x.mem.Outstanding; most > 0 && n > most { // the last ones wait for the first
			busy = max(busy, ceil(n*x.mem.Latency, most))
			last = max(last, first+busy-busy*most/n)
		}
		x.channel = max(max(x.channel, first)+busy, last+busy/n)
		x.next = last + 1
		arrive = x.channel + x.mem.Latency
		x.bytes += bytes
		if k := min(n, x.mem.Outstanding); k > 0 {
			x.way = append(x.way, underway{k, arrive - busy*k/n, arrive})
			x.open += k
		}
	}
	return arrive
}

// walk is how many cycles the steps of a plan take by the rules of Step, each transfer as a
// whole. It ends after so many steps, and says how many cycles the array worked in them and
// how many bytes moved. Past a limit of cycles it ends too.
func (p *Plan) walk(steps, limit int64) (cycles, work, bytes int64) {
	return p.walkOn(walked{mem: &p.h.mem, kept: p.kept}, steps, limit)
}

// left reports whether the transfers of a tensor are left out.
func (x *walked) left(id graph.TensorID) bool {
	return id >= 0 && (x.stays != nil && x.stays[id] || len(x.kept) > 0 && slices.Contains(x.kept, id))
}

// without is how many cycles the plan takes alone on a core, without the transfers of results that stay.
func (p *Plan) without(r *Residents, core *Core) int64 {
	x := walked{mem: &core.Memory}
	if r != nil {
		x.stays = r.Stays
	}
	cycles, work, _ := p.walkOn(x, mostWalked, overflow)
	if p.Steps <= mostWalked || work == 0 {
		return cycles
	}
	return int64(float64(cycles) * float64(p.Cycles) / float64(work))
}

func (p *Plan) walkOn(x walked, steps, limit int64) (cycles, work, bytes int64) {
	var (
		st             Step
		stores         [2][]Transfer
		done           [2]int64
		previous, last int64
		w              = p.Walk()
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
