package coherence

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// peers is a host with its own memory, devices that cache it, and everything under
// way between them.
type peers struct {
	home    *Home
	agents  []*Agent
	under   [][]Message // by device, in the order of sending
	fetches []fetched
	memory  map[uint64]uint64
	latest  map[uint64]uint64
	order   map[uint64]int
	open    []opened
	next    uint64
	left    []int // the last is the cores
	plan    func(agent, n int) []start
	fault   error
	most    *[2]uint64 // forwarded and bogus data, in any order
}

type peerSeat struct {
	w     *peers
	agent int
}

func (s peerSeat) Send(m Message) { s.w.under[m.Host] = append(s.w.under[m.Host], m) }

func (s peerSeat) Done(ref int32, value uint64) { s.w.done(int(ref), value) }

func (s peerSeat) Fetch(id int32, addr uint64) {
	s.w.fetches = append(s.w.fetches, fetched{id, addr, s.w.memory[addr]})
}

// Store is where a store through the cache (WrInv) gets its place among the others.
func (s peerSeat) Store(addr, value uint64) {
	s.w.memory[addr] = value
	s.w.stored(addr, value)
}

func newPeers(devices, deviceWays, homeWays int, left ...int) *peers {
	w := &peers{memory: map[uint64]uint64{}, latest: map[uint64]uint64{}, order: map[uint64]int{0: 0}, left: left, under: make([][]Message, devices), most: new([2]uint64)}
	for i := range devices {
		w.agents = append(w.agents, NewAgent(uint8(i), 1, deviceWays, peerSeat{w, i}))
	}
	w.home = NewHome(1, homeWays, peerSeat{w, devices})
	return w
}

func (w *peers) fail(format string, args ...any) {
	if w.fault == nil {
		w.fault = fmt.Errorf(format, args...)
	}
}

func (w *peers) access(agent int, s start) {
	ref := len(w.open)
	o := opened{agent: agent, line: s.line, kind: s.kind, value: w.latest[s.line]}
	if s.kind != Load {
		w.next++
		o.value = w.next
	}
	w.open = append(w.open, o)
	var hit bool
	var value uint64
	if agent < len(w.agents) {
		hit, value = w.agents[agent].Access(s.line, s.kind, int32(ref), o.value)
	} else {
		hit, value = w.home.Access(s.line, s.kind, int32(ref), o.value)
	}
	if hit {
		w.done(ref, value)
	}
}

// done checks what an access read.
func (w *peers) done(ref int, value uint64) {
	o := &w.open[ref]
	if o.done {
		w.fail("access %d is over twice", ref)
		return
	}
	o.done = true
	if o.kind != Load {
		w.stored(o.line, o.value)
		return
	}
	if w.order[value] < w.order[o.value] {
		w.fail("agent %d reads %d of line %#x, there was %d when it began", o.agent, value, o.line, o.value)
	}
}

func (w *peers) stored(line, value uint64) {
	if _, known := w.order[value]; known {
		return
	}
	w.latest[line] = value
	w.order[value] = len(w.order)
}

// blocked: a snoop stays behind a GO of its line, in the order of sending; nothing else
// is in order.
func (w *peers) blocked(q []Message, n int) bool {
	if q[n].Channel() != flit.H2DReq {
		return false
	}
	for _, m := range q[:n] {
		if m.Channel() == flit.H2DRsp && m.Addr == q[n].Addr {
			return true
		}
	}
	return false
}

func (w *peers) moves() (out []move) {
	for d, q := range w.under {
		for n := range q {
			if !w.blocked(q, n) {
				out = append(out, move{d, 0, n})
			}
		}
	}
	for n := range w.fetches {
		out = append(out, move{0, -1, n})
	}
	for a, n := range w.left {
		if n > 0 {
			for i := range w.plan(a, n) {
				out = append(out, move{a, -2, i})
			}
		}
	}
	return out
}

func (w *peers) do(m move) {
	switch m.class {
	case -1:
		f := w.fetches[m.n]
		w.fetches = slices.Delete(w.fetches, m.n, m.n+1)
		w.home.Fetched(f.id, f.value)
	case -2:
		s := w.plan(m.host, w.left[m.host])[m.n]
		w.left[m.host]--
		w.access(m.host, s)
	default:
		q := &w.under[m.host]
		x := (*q)[m.n]
		*q = slices.Delete(*q, m.n, m.n+1)
		w.deliver(x)
	}
	w.check()
}

func (w *peers) deliver(m Message) {
	if m.Channel().Direction() == flit.Down {
		w.agents[m.Host].Receive(m)
	} else {
		w.home.Receive(m)
	}
}

func (w *peers) check() {
	for _, a := range w.agents {
		w.most[0], w.most[1] = max(w.most[0], a.Count.Forwarded), max(w.most[1], a.Count.Bogus)
		if n := a.Cache.held(0) + a.reserved[0]; n > int(a.Cache.ways) {
			w.fail("agent %d has or waits for %d lines in %d places", a.id, n, a.Cache.ways)
		}
	}
	for _, line := range lines {
		strong, any := 0, 0
		count := func(s State) {
			if s != I {
				any++
			}
			if s >= E {
				strong++
			}
		}
		count(w.home.Cache.State(line))
		for i, a := range w.agents {
			s := a.Cache.State(line)
			count(s)
			e := w.home.held[line]
			if s != I && e.sharers>>i&1 == 0 || s >= E && e.owner() != i {
				w.fail("device %d has line %#x in %s and the home agent does not know", i, line, s)
			}
			if s >= E && a.Cache.Value(line) != w.latest[line] {
				w.fail("device %d has %d of line %#x alone, the last store is %d", i, a.Cache.Value(line), line, w.latest[line])
			}
		}
		if strong > 0 && any > 1 {
			w.fail("line %#x has %d copies, %d of them exclusive", line, any, strong)
		}
	}
}

func (w *peers) final() {
	for i, o := range w.open {
		if !o.done {
			w.fail("access %d (%s of %#x by %d) never ends", i, o.kind, o.line, o.agent)
		}
	}
	busy := w.home.Busy()
	for _, a := range w.agents {
		busy += a.Busy() + a.reserved[0]
	}
	if busy > 0 {
		w.fail("%d lines are busy for ever", busy)
	}
	for _, line := range lines {
		value := w.memory[line]
		if w.home.Cache.State(line) == M {
			value = w.home.Cache.Value(line)
		}
		for _, a := range w.agents {
			if a.Cache.State(line) == M {
				value = a.Cache.Value(line)
			}
		}
		if value != w.latest[line] {
			w.fail("line %#x ends as %d, the last store is %d", line, value, w.latest[line])
		}
	}
}

func (w *peers) err() error { return w.fault }

func (w *peers) clone() *peers {
	c := *w
	c.agents = nil
	for i, a := range w.agents {
		x := *a
		x.sink, x.Cache, x.queue = peerSeat{&c, i}, a.Cache.clone(), a.queue.clone()
		x.pend, x.free, x.index, x.reserved = slices.Clone(a.pend), slices.Clone(a.free), maps.Clone(a.index), slices.Clone(a.reserved)
		c.agents = append(c.agents, &x)
	}
	h := *w.home
	h.sink, h.Cache = peerSeat{&c, -1}, w.home.Cache.clone()
	h.all, h.free, h.active, h.held = slices.Clone(h.all), slices.Clone(h.free), maps.Clone(h.active), maps.Clone(h.held)
	c.home = &h
	c.under = slices.Clone(w.under)
	for d := range c.under {
		c.under[d] = slices.Clone(c.under[d])
	}
	c.fetches, c.open, c.left = slices.Clone(w.fetches), slices.Clone(w.open), slices.Clone(w.left)
	c.memory, c.latest, c.order = maps.Clone(w.memory), maps.Clone(w.latest), maps.Clone(w.order)
	return &c
}

func (w *peers) key(b []byte) []byte {
	n := func(vs ...uint64) {
		for _, v := range vs {
			b = binary.AppendUvarint(b, v)
		}
	}
	yes := func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}
	cache := func(c *Cache) {
		for i := range c.tags {
			younger := uint64(0)
			for k := range c.used {
				younger += yes(c.used[k] > c.used[i])
			}
			n(uint64(c.state[i]), younger)
			if c.state[i] != I {
				n(c.tags[i], c.value[i])
			}
		}
	}
	for _, a := range w.agents {
		cache(&a.Cache)
		n(uint64(len(a.pend)), uint64(a.reserved[0]))
		for _, f := range a.free {
			n(uint64(f))
		}
		for i := range a.pend {
			p := &a.pend[i]
			if !p.live {
				continue
			}
			n(uint64(i), p.addr, uint64(p.req), yes(p.gone), yes(p.data), yes(p.needs), yes(p.place), uint64(p.grant), uint64(p.held), yes(p.lost), p.value, uint64(p.snoop), uint64(p.tag))
			for x := p.first; x >= 0; x = a.queue.all[x].next {
				n(uint64(a.queue.all[x].ref) + 1)
			}
			n(0)
		}
	}
	h := w.home
	cache(&h.Cache)
	for _, line := range lines {
		e := h.held[line]
		k, ok := h.active[line]
		n(e.sharers, yes(e.alone), w.memory[line], w.latest[line], yes(ok), uint64(k))
	}
	for _, f := range h.free {
		n(uint64(f) + 1)
	}
	n(0)
	for i := range h.all {
		if t := &h.all[i]; t.live {
			n(uint64(i), t.addr, uint64(t.device+1), uint64(t.req), uint64(t.tag), uint64(t.kind), uint64(t.ref), t.value, t.answers, t.data, t.early, uint64(t.next+1), uint64(t.last+1))
		}
	}
	n(1 << 40)
	for _, q := range w.under {
		// what has no order is put in one
		q = slices.Clone(q)
		sort.SliceStable(q, func(i, j int) bool {
			a, b := &q[i], &q[j]
			if x, y := ordered(a), ordered(b); x != y {
				return x
			} else if x {
				return false
			}
			if a.Op != b.Op {
				return a.Op < b.Op
			}
			return a.Tag < b.Tag
		})
		for _, m := range q {
			n(uint64(m.Op), uint64(m.Meta), uint64(m.Tag), uint64(m.Pull), m.Addr, m.Value, yes(m.Bogus))
		}
		n(1 << 41)
	}
	fs := slices.Clone(w.fetches)
	sort.Slice(fs, func(i, j int) bool { return fs[i].id < fs[j].id })
	for _, f := range fs {
		n(uint64(f.id)+1, f.value)
	}
	n(0)
	for i := range w.open {
		o := &w.open[i]
		n(yes(o.done))
		if !o.done {
			n(uint64(o.agent), o.line, uint64(o.kind), o.value, uint64(w.order[o.value]))
		}
	}
	for _, l := range w.left {
		n(uint64(l))
	}
	return b
}

// ordered are the messages of which some may not pass others.
func ordered(m *Message) bool { c := m.Channel(); return c == flit.H2DReq || c == flit.H2DRsp }

// Every order of messages between a home agent and the caches of devices.
func TestEveryOrderOfCaches(t *testing.T) {
	for _, c := range []struct {
		name             string
		w                *peers
		plan             func(int, int) []start
		forwarded, bogus uint64
	}{
		{"a device, one line", newPeers(1, 1, 1, 2, 2), every(0), 1, 0},
		{"a device with one place, two lines", newPeers(1, 1, 2, 2, 1), every(0, 64), 1, 1},
		{"two devices, one line", newPeers(2, 1, 1, 1, 2, 0), every(0), 1, 0},
		{"three devices", newPeers(3, 1, 1, 1, 1, 1, 0), func(int, int) []start { return []start{{0, Load}, {0, Update}} }, 1, 0},
		{"a device without a cache", newPeers(1, 0, 1, 2, 2), every(0), 0, 0},
		{"two devices with one place", newPeers(2, 1, 0, 2, 1, 0), func(a, n int) []start { return [][]start{{{64, Load}, {0, Store}}, {{0, Update}}}[a][n-1 : n] }, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.w.plan = c.plan
			states := explore(t, c.w, 3_000_000)
			t.Logf("%d states, most of a device: %d forwarded, %d bogus", states, c.w.most[0], c.w.most[1])
			require.GreaterOrEqual(t, c.w.most[0], c.forwarded)
			require.GreaterOrEqual(t, c.w.most[1], c.bogus)
		})
	}
}

// Orders at random of larger systems.
func TestAnyOrderOfCaches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		devices := rapid.IntRange(1, 4).Draw(t, "devices")
		left := make([]int, devices+1)
		for i := range left {
			left[i] = rapid.IntRange(0, 40).Draw(t, "accesses")
		}
		w := newPeers(devices, rapid.IntRange(0, 3).Draw(t, "device ways"), rapid.IntRange(0, 2).Draw(t, "home ways"), left...)
		w.plan = every(0, 64, 128, 192)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 1))
		for {
			moves := w.moves()
			if len(moves) == 0 {
				break
			}
			w.do(moves[r.IntN(len(moves))])
			require.NoError(t, w.fault)
		}
		w.final()
		require.NoError(t, w.fault)
	})
}
