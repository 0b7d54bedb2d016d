package mapping

import "math/bits"

// A Memory is what a plan may assume of the memory below a core's port: nominal figures,
// in the core's cycles. The zero value is a memory that takes no time.
type Memory struct {
	// Bandwidth is bytes per Cycles cycles, reads and writes together; 0 is unlimited.
	Bandwidth, Cycles int64
	// Latency is the cycles from the issue of a request to its answer in an idle memory.
	Latency int64
	// Burst is the bytes of a whole request, and Outstanding how many requests may be
	// without an answer; at most one is issued per cycle. 0 is no limit.
	Burst, Outstanding int64
	// Home names what is below the port: cores with the same one share the bandwidth.
	Home string
	// Caches says that what is read again may not come from the memory again.
	Caches bool
}

// shared is the memory as one of n cores finds it that all use it at the same time.
func (m Memory) shared(n int) Memory {
	if n > 1 && m.Bandwidth > 0 {
		m.Cycles *= int64(n)
	}
	return m
}

// homes is how many of some cores are before each memory, and whether all cores are equal.
type homes struct {
	cores []Core
	of    map[string]int
	alike bool
}

// homesOf looks at the cores once for all portions of an operator.
func (x *Mapper) homesOf(cores []Core) *homes {
	h := &x.homes
	if len(h.cores) != len(cores) || &h.cores[0] != &cores[0] {
		*h = homes{cores, map[string]int{}, true}
		for i := range cores {
			h.of[cores[i].Memory.Home]++
			h.alike = h.alike && cores[i] == cores[0]
		}
	}
	return h
}

// sharers is the number of cores before the same memory.
func (x *Mapper) sharers(cores []Core, home string) int { return x.homesOf(cores).of[home] }

// alike reports whether all cores are equal.
func (x *Mapper) alike(cores []Core) bool { return x.homesOf(cores).alike }

// time is how long the memory is busy with so many bytes in so many requests, without
// the latency of the first. A request takes its cycle of the DMA engine, and no more
// are under way than may be.
func (m *Memory) time(bytes, requests int64) int64 {
	t := int64(0)
	if m.Bandwidth > 0 {
		hi, lo := bits.Mul64(uint64(bytes), uint64(m.Cycles))
		if hi >= uint64(m.Bandwidth) {
			return overflow
		}
		q, r := bits.Div64(hi, lo, uint64(m.Bandwidth))
		if r > 0 {
			q++
		}
		t = int64(q)
	}
	if m.Outstanding > 0 {
		t = max(t, requests, ceil(requests*m.Latency, m.Outstanding))
	}
	return t
}

// Time is how long the memory is busy with so many bytes, in runs of so many.
func (m *Memory) Time(bytes, run float64) float64 {
	if run < 1 || bytes <= 0 {
		return 0
	}
	requests := bytes / run
	if m.Burst > 0 {
		requests *= float64(ceil(int64(run), m.Burst))
	}
	t := 0.0
	if m.Bandwidth > 0 {
		t = bytes * float64(m.Cycles) / float64(m.Bandwidth)
	}
	if m.Outstanding > 0 {
		t = max(t, requests, requests*float64(m.Latency)/float64(m.Outstanding))
	}
	return t
}

// requests is how many requests carry so many runs of row bytes each.
func (m *Memory) requests(runs, row int64) int64 {
	if m.Burst <= 0 || row <= 0 {
		return 0
	}
	return runs * ceil(row, m.Burst)
}

// requests is how many requests the transfers of a plan take. Of a plan of many steps the first are
// counted, and the others taken as them.
func (p *Plan) requests(m *Memory) (n int64) {
	w, st := p.Walk(), Step{}
	steps := int64(0)
	for steps < mostWalked && w.Next(&st) {
		steps++
		for _, list := range [][]Transfer{st.Loads, st.Stores} {
			for i := range list {
				t := list[i].Contiguous()
				n += m.requests(t.Rows*t.Planes, t.RowBytes)
			}
		}
	}
	if p.Steps > steps {
		n = scale(n, p.Steps, max(steps, 1))
	}
	return n
}

// Latency is the cycles from a request of the plan to its answer in an idle memory.
func (p *Plan) Latency() int64 {
	if p.h == nil {
		return 0
	}
	return p.h.mem.Latency
}

// LoadTime is how many cycles the memory is busy with loads of the plan, at the share of its
// bandwidth that the core has while others use it too.
func (p *Plan) LoadTime(loads []Transfer) (cycles int64) {
	if p.h == nil {
		return 0
	}
	for i := range loads {
		t := loads[i].Contiguous()
		cycles += p.h.mem.time(t.Bytes(), p.h.mem.requests(t.Rows*t.Planes, t.RowBytes))
	}
	return cycles
}
