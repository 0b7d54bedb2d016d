package dram_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A line of a trace.
type request struct {
	addr  uint64
	write bool
}

// pattern makes the traces that the peers were measured with: 20,000 requests
// of 64 bytes over 1 GiB. The first part of a name says where: in sequence, at
// random (SplitMix64 with seed 1, or the number after rand), in blocks of four
// at random, in four streams by turns, three of four in 1 MiB and the rest at
// random, or at a stride in bytes; the second how many reads come between two
// writes. conflict_r is 4,000 reads 128 KiB apart.
func pattern(name string) []request {
	out := make([]request, 20000)
	where, mix, _ := strings.Cut(name, "_")
	kind := strings.TrimRight(where, "0123456789")
	n, err := strconv.ParseUint(where[len(kind):], 10, 64)
	if err != nil {
		n = 1
	}
	state := n
	if kind != "rand" {
		state = 1
	}
	random := func() uint64 {
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return (z ^ z>>31) % (1 << 30) &^ 63
	}
	for i := range out {
		k := uint64(i)
		a := &out[i].addr
		switch kind {
		case "seq":
			*a = k * 64
		case "rand":
			*a = random()
		case "block":
			if *a = random() &^ 255; i%4 > 0 {
				*a = out[i-1].addr + 64
			}
		case "streams":
			*a = k/4*64 + k%4*(64<<20+8192)
		case "hot":
			if *a = random(); i%4 > 0 {
				*a %= 1 << 20
			}
		case "stride":
			*a = k * n % (1 << 30)
		case "conflict":
			*a = k * 131072
		default:
			panic(name)
		}
		switch mix {
		case "2r1w":
			out[i].write = i%3 == 2
		case "1r1w":
			out[i].write = i%2 == 1
		case "3r1w":
			out[i].write = i%4 == 3
		}
	}
	if kind == "conflict" {
		out = out[:4000]
	}
	return out
}

// A harness drives a controller as the peers were driven: closed:K keeps K
// requests outstanding, open:I has one arrive every I clocks; one is accepted
// per clock; writes are complete when they are accepted.
type harness struct {
	reqs      []request
	arrived   []int64
	accepted  []int64
	done      []int64
	pending   []int64 // times of reads that are certain, ascending from first on
	first     int
	completed int
	last      int64
}

func (h *harness) Accepted(tag uint32, at int64) {
	h.accepted[tag] = at
	if h.reqs[tag].write {
		h.done[tag], h.last = at, max(h.last, at)
		h.completed++
	}
}

func (h *harness) Done(tag uint32, at int64) {
	if h.reqs[tag].write {
		return
	}
	h.done[tag], h.last = at, max(h.last, at)
	h.pending = append(h.pending, at)
	for i := len(h.pending) - 1; i > h.first && h.pending[i-1] > at; i-- {
		h.pending[i-1], h.pending[i] = h.pending[i], h.pending[i-1]
	}
}

func newHarness(reqs []request) *harness {
	h := &harness{reqs: reqs}
	h.arrived, h.accepted, h.done = make([]int64, len(reqs)), make([]int64, len(reqs)), make([]int64, len(reqs))
	h.pending = make([]int64, 0, len(reqs))
	return h
}

// run drives c to the end and returns its results.
func (h *harness) run(c *dram.Controller, m *address.Map, mode string) result {
	kind, arg, _ := strings.Cut(mode, ":")
	k, _ := strconv.Atoi(arg)
	next, t := 0, int64(0)
	push := func(at int64) {
		c.Push(at, uint32(next), m.Decode(h.reqs[next].addr/64), h.reqs[next].write)
		h.arrived[next] = at
		next++
	}
	for h.completed < len(h.reqs) {
		before := h.completed
		if kind == "open" {
			if next < len(h.reqs) {
				t = int64(next * k)
				push(t)
				c.Run(t)
			} else {
				t = max(t+1, min(c.Next(), h.certain()))
				c.Run(t)
			}
		} else {
			for next < len(h.reqs) && next-h.completed < k {
				push(t)
			}
			before = h.completed
			c.Run(t)
		}
		for h.first < len(h.pending) && h.pending[h.first] <= t {
			h.first++
			h.completed++
		}
		switch {
		case kind == "open":
		case h.completed > before && next < len(h.reqs):
			t++
		default:
			t = max(t+1, min(c.Next(), h.certain()))
		}
	}
	return h.result()
}

func (h *harness) certain() int64 {
	if h.first == len(h.pending) {
		return dram.Never
	}
	return h.pending[h.first]
}

// A result is in clocks. Latencies are of reads.
type result struct {
	last                    int64
	fromAccept, fromArrival float64
	least, median, high     int64 // from accept
	requests                int
}

// bytesPerClock is the bandwidth.
func (r result) bytesPerClock() float64 { return float64(r.requests) * 64 / float64(r.last) }

func (h *harness) result() result {
	var ls []int64
	accept, arrival := int64(0), int64(0)
	for i := range h.reqs {
		if !h.reqs[i].write {
			ls = append(ls, h.done[i]-h.accepted[i])
			accept += h.done[i] - h.accepted[i]
			arrival += h.done[i] - h.arrived[i]
		}
	}
	slices.Sort(ls)
	n := len(ls)
	return result{
		last: h.last, requests: len(h.reqs), fromAccept: float64(accept) / float64(n), fromArrival: float64(arrival) / float64(n),
		least: ls[0], median: ls[n/2], high: ls[min(n-1, n*99/100)],
	}
}

// A setting is what a peer's configuration says.
type setting struct {
	grade  string
	policy dram.RowPolicy
	ref    dram.RefreshMode
	mapped string
	timing map[string]int
	queue  int // reads that the controller looks at; 0 is that of the preset
}

// presetQueue is read_queue of the preset ddr4_3200.
const presetQueue = 38

func (s setting) config() dram.Config {
	g, ok := standard.Find(s.grade)
	if !ok {
		panic(s.grade)
	}
	g, err := g.With(s.timing)
	if err != nil {
		panic(err)
	}
	cfg := dram.DefaultConfig(g)
	cfg.Policy, cfg.Refresh = s.policy, s.ref
	switch {
	case s.queue > 0:
		cfg.ReadQueue = s.queue
	case s.grade == "ddr4_3200":
		cfg.ReadQueue = presetQueue
	}
	return cfg
}

// simulated remembers results, for the tests that look at the same rows.
var simulated sync.Map

func simulate(t testing.TB, s setting, trace, mode string) result {
	t.Helper()
	key := fmt.Sprint(s, trace, mode)
	if r, ok := simulated.Load(key); ok {
		return r.(result)
	}
	cfg := s.config()
	m, err := address.Parse(s.mapped, cfg.Grade.Organisation.Geometry(1))
	require.NoError(t, err)
	h := newHarness(pattern(trace))
	c, err := dram.New(cfg, h)
	require.NoError(t, err)
	r := h.run(c, m, mode)
	simulated.Store(key, r)
	return r
}

// A row is one measurement of a peer.
type row struct {
	config, pattern, mode       string
	cycles                      int64
	accept, least, median, high float64 // clocks
	arrivalNS                   float64
}

func readPeer(t testing.TB, name string) []row {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	var out []row
	for s := bufio.NewScanner(f); s.Scan(); {
		w := strings.Split(s.Text(), ",")
		if strings.HasPrefix(w[0], "#") || w[0] == "config" {
			continue
		}
		v := make([]float64, len(w))
		for i := 3; i < len(w); i++ {
			v[i], err = strconv.ParseFloat(w[i], 64)
			require.NoError(t, err, s.Text())
		}
		out = append(out, row{w[0], w[1], w[2], int64(v[3]), v[4], v[5], v[6], v[7], v[8]})
	}
	return out
}

func (s setting) parse() *address.Map {
	return address.New(s.mapped, s.config().Grade.Organisation.Geometry(1))
}
