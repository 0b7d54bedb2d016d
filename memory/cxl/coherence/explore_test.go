package coherence

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// A world is hosts, one device and everything under way between them. It may be
// copied, and told from others, which is all that an exploration needs.
type world struct {
	hosts   []*Host
	device  *Device
	under   [][flit.Classes][]Message // by host
	fetches []fetched
	memory  map[uint64]uint64
	latest  map[uint64]uint64 // value of the last store, by line
	order   map[uint64]int    // of stores, by value
	open    []opened
	next    uint64 // value
	left    []int  // accesses that each agent may begin; the last is the accelerator
	plan    func(agent, n int) []start
	fault   error
	most    *[2]uint64 // conflicts of a host: early and late, in any order
}

type fetched struct {
	id    int32
	addr  uint64
	value uint64
}

type opened struct {
	agent  int
	line   uint64
	kind   Access
	value  uint64 // to be stored, or the latest when it began
	done   bool
	strict bool // reads what is the latest when it is over
}

type start struct {
	line uint64
	kind Access
}

// seat is what one machine sees of the world.
type seat struct {
	w    *world
	host int
}

func (s seat) Send(m Message) {
	c := &s.w.under[m.Host][m.Channel()]
	*c = append(*c, m)
}

func (s seat) Done(ref int32, value uint64) { s.w.done(int(ref), value) }

func (s seat) Fetch(id int32, addr uint64) {
	s.w.fetches = append(s.w.fetches, fetched{id, addr, s.w.memory[addr]})
}

func (s seat) Store(addr, value uint64) { s.w.memory[addr] = value }

func newWorld(model Model, hosts, hostWays int, f Filter, deviceWays int, left ...int) *world {
	w := &world{memory: map[uint64]uint64{}, latest: map[uint64]uint64{}, order: map[uint64]int{0: 0}, left: left}
	for i := range hosts {
		w.hosts = append(w.hosts, NewHost(uint8(i), 1, hostWays, seat{w, i}))
	}
	w.device = NewDevice(model, f, 1, deviceWays, seat{w, -1})
	w.under = make([][flit.Classes][]Message, hosts)
	return w
}

func (w *world) access(agent int, s start) {
	ref := len(w.open)
	o := opened{agent: agent, line: s.line, kind: s.kind, value: w.latest[s.line], strict: true}
	if s.kind != Load {
		w.next++
		o.value = w.next
	}
	if agent < len(w.hosts) {
		o.strict = w.hosts[agent].Cache.ways > 0
	}
	w.open = append(w.open, o)
	var hit bool
	var value uint64
	if agent < len(w.hosts) {
		hit, value = w.hosts[agent].Access(s.line, s.kind, int32(ref), o.value)
	} else {
		hit, value = w.device.Access(s.line, s.kind, int32(ref), o.value)
	}
	if hit {
		w.done(ref, value)
	}
}

// done checks what an access read against the last store.
func (w *world) done(ref int, value uint64) {
	o := &w.open[ref]
	if o.done {
		w.fail("access %d is over twice", ref)
		return
	}
	o.done = true
	if o.kind != Load {
		w.latest[o.line] = o.value
		w.order[o.value] = len(w.order)
		return
	}
	if o.strict && value != w.latest[o.line] || w.order[value] < w.order[o.value] {
		w.fail("agent %d reads %d of line %#x, the last store is %d", o.agent, value, o.line, w.latest[o.line])
	}
}

func (w *world) fail(format string, args ...any) {
	if w.fault == nil {
		w.fault = fmt.Errorf(format, args...)
	}
}

// A move is something that may happen next.
type move struct {
	host, class, n int // a message; class -1: fetch n; -2: agent host begins its start n
}

// blocked: channels keep no order between messages, but for these. BI-ConflictAck
// stays behind Cmp of its line; requests of HDM-D stay behind MemRdFwd and MemWrFwd,
// and these behind those.
func (w *world) blocked(c []Message, n int) bool {
	for _, before := range c[:n] {
		if before.Addr != c[n].Addr {
			continue
		}
		if c[n].Op == BIConflictAck || w.device.model == HDMD && c[n].Channel() == flit.M2SReq {
			return true
		}
	}
	return false
}

func (w *world) moves() (out []move) {
	for h := range w.under {
		for c := range flit.Classes {
			for n := range w.under[h][c] {
				if !w.blocked(w.under[h][c], n) {
					out = append(out, move{h, int(c), n})
				}
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

func (w *world) do(m move) {
	switch m.class {
	case -1:
		f := w.fetches[m.n]
		w.fetches = slices.Delete(w.fetches, m.n, m.n+1)
		w.device.Fetched(f.id, f.value)
	case -2:
		s := w.plan(m.host, w.left[m.host])[m.n]
		w.left[m.host]--
		w.access(m.host, s)
	default:
		c := &w.under[m.host][m.class]
		x := (*c)[m.n]
		*c = slices.Delete(*c, m.n, m.n+1)
		if x.Channel().Direction() == flit.Down {
			w.device.Receive(x)
		} else {
			w.hosts[m.host].Receive(x)
		}
	}
	w.check()
}

// check finds what must never be.
func (w *world) check() {
	if w.most != nil {
		for _, h := range w.hosts {
			w.most[0], w.most[1] = max(w.most[0], h.Count.Early), max(w.most[1], h.Count.Late)
		}
	}
	for _, line := range lines {
		strong, any := 0, 0
		for i, h := range w.hosts {
			s := h.Cache.State(line)
			if s == I {
				continue
			}
			any++
			if !w.device.Filter.Holds(i, line) {
				w.fail("host %d has line %#x in %s and the filter does not know", i, line, s)
			}
			if s >= E {
				strong++
				if w.device.Filter.get(line).owner() != i {
					w.fail("host %d has line %#x in %s and the filter takes it for shared", i, line, s)
				}
			}
		}
		if s := w.device.Cache.State(line); s != I {
			any++
			if s >= E {
				strong++
			}
		}
		if strong > 0 && any > 1 {
			w.fail("line %#x has %d copies, %d of them exclusive", line, any, strong)
		}
	}
	if w.device.Filter.sets > 0 && w.device.Filter.Entries() > int(w.device.Filter.sets*w.device.Filter.ways) {
		w.fail("%d entries in the filter", w.device.Filter.Entries())
	}
}

// final checks the end: nothing may be left.
func (w *world) final() {
	for i, o := range w.open {
		if !o.done {
			w.fail("access %d (%s of %#x by %d) never ends", i, o.kind, o.line, o.agent)
		}
	}
	busy := w.device.Busy()
	for _, h := range w.hosts {
		busy += h.Busy()
	}
	if busy > 0 || len(w.device.stalled) > 0 {
		w.fail("%d lines are busy for ever", busy)
	}
	for _, line := range lines {
		value := w.memory[line]
		for _, h := range w.hosts {
			if h.Cache.State(line) == M {
				value = h.Cache.Value(line)
			}
		}
		if w.device.Cache.State(line) == M {
			value = w.device.Cache.Value(line)
		}
		if value != w.latest[line] {
			w.fail("line %#x ends as %d, the last store is %d", line, value, w.latest[line])
		}
	}
}

func (c Cache) clone() Cache {
	c.tags, c.state, c.value, c.used = slices.Clone(c.tags), slices.Clone(c.state), slices.Clone(c.value), slices.Clone(c.used)
	return c
}

func (q accesses) clone() accesses {
	return accesses{slices.Clone(q.all), slices.Clone(q.spare)}
}

func (f Filter) clone() Filter {
	f.tags, f.live, f.entries, f.used = slices.Clone(f.tags), slices.Clone(f.live), slices.Clone(f.entries), slices.Clone(f.used)
	f.all = maps.Clone(f.all)
	return f
}

func (w *world) clone() *world {
	c := *w
	c.hosts = nil
	for i, h := range w.hosts {
		x := *h
		x.sink = seat{&c, i}
		x.Cache = h.Cache.clone()
		x.pend, x.free, x.index = slices.Clone(h.pend), slices.Clone(h.free), maps.Clone(h.index)
		x.queue = h.queue.clone()
		c.hosts = append(c.hosts, &x)
	}
	d := *w.device
	d.sink, d.Cache, d.Filter = seat{&c, -1}, w.device.Cache.clone(), w.device.Filter.clone()
	d.all, d.free, d.active, d.stalled = slices.Clone(d.all), slices.Clone(d.free), maps.Clone(d.active), slices.Clone(d.stalled)
	c.device = &d
	c.under = slices.Clone(w.under)
	for h := range c.under {
		for k := range c.under[h] {
			c.under[h][k] = slices.Clone(c.under[h][k])
		}
	}
	c.fetches, c.open, c.left = slices.Clone(w.fetches), slices.Clone(w.open), slices.Clone(w.left)
	c.memory, c.latest, c.order = maps.Clone(w.memory), maps.Clone(w.latest), maps.Clone(w.order)
	return &c
}

// key tells states apart.
func (w *world) key(b []byte) []byte {
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
	for _, h := range w.hosts {
		cache(&h.Cache)
		n(uint64(len(h.pend)), uint64(len(h.free)))
		for _, f := range h.free {
			n(uint64(f))
		}
		for i := range h.pend {
			p := &h.pend[i]
			if !p.live {
				continue
			}
			n(uint64(i), p.addr, uint64(p.req), uint64(p.grant), yes(p.cmp), yes(p.data), yes(p.needs), yes(p.wb), p.value, uint64(p.snoop), uint64(p.tag), uint64(p.shake))
			for a := p.first; a >= 0; a = h.queue.all[a].next {
				n(uint64(h.queue.all[a].ref) + 1)
			}
			n(0)
		}
	}
	d := w.device
	cache(&d.Cache)
	for i := range d.Filter.tags {
		younger := uint64(0)
		for k := range d.Filter.used {
			younger += yes(d.Filter.used[k] > d.Filter.used[i])
		}
		n(yes(d.Filter.live[i]), younger)
		if d.Filter.live[i] {
			n(d.Filter.tags[i], d.Filter.entries[i].sharers, yes(d.Filter.entries[i].alone))
		}
	}
	for _, line := range lines {
		e := d.Filter.all[line]
		n(e.sharers, yes(e.alone), w.memory[line], w.latest[line])
		k, ok := d.active[line]
		n(yes(ok), uint64(k))
	}
	for _, f := range d.free {
		n(uint64(f) + 1)
	}
	n(0)
	for i := range d.all {
		t := &d.all[i]
		if t.live {
			n(uint64(i), t.addr, uint64(t.host+4), uint64(t.req), uint64(t.snp), uint64(t.tag), uint64(t.kind), uint64(t.ref), t.value, t.waiting, uint64(t.next+1), uint64(t.last+1), yes(t.nested))
		}
	}
	n(1 << 40)
	for _, k := range d.stalled {
		n(uint64(k) + 1)
	}
	n(0)
	for h := range w.under {
		for c := range w.under[h] {
			for _, m := range w.under[h][c] {
				n(uint64(m.Op), uint64(m.Meta), uint64(m.Snp), uint64(m.Tag), m.Addr, m.Value)
			}
			n(1 << 41)
		}
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

var lines = []uint64{0, 64, 128, 192}

// every access on some lines.
func every(ls ...uint64) func(int, int) []start {
	var out []start
	for _, l := range ls {
		for k := range Update + 1 {
			out = append(out, start{l, k})
		}
	}
	return func(int, int) []start { return out }
}

// prepared lets every host have a line.
func prepared(w *world, line uint64) *world {
	left := w.left
	w.left = nil
	for i := range w.hosts {
		w.access(i, start{line, Load})
		for m := w.moves(); len(m) > 0; m = w.moves() {
			w.do(m[0])
		}
	}
	w.left = left
	return w
}

// explorable is a system whose orders of events can be gone through.
type explorable[W any] interface {
	moves() []move
	do(move)
	final()
	err() error
	clone() W
	key([]byte) []byte
}

func (w *world) err() error { return w.fault }

// explore visits every state that any order of events reaches, and returns how many
// there are.
func explore[W explorable[W]](t *testing.T, w W, most int) int {
	visited := map[string]struct{}{}
	stack := []W{w}
	visited[string(w.key(nil))] = struct{}{}
	var buf []byte
	for len(stack) > 0 {
		w := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		moves := w.moves()
		if len(moves) == 0 {
			w.final()
		}
		require.NoError(t, w.err())
		for i, m := range moves {
			c := w
			if i < len(moves)-1 {
				c = w.clone()
			}
			c.do(m)
			require.NoError(t, c.err())
			buf = c.key(buf[:0])
			if _, ok := visited[string(buf)]; ok {
				continue
			}
			visited[string(buf)] = struct{}{}
			stack = append(stack, c)
		}
		if len(visited) > most {
			require.Fail(t, "too many states", "%d", len(visited))
		}
	}
	return len(visited)
}

// Every order of messages that the channels allow, from every start of accesses.
func TestEveryOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		w     *world
		plan  func(int, int) []start
		early uint64 // at least so many conflicts of one host
		late  uint64
	}{
		{"two hosts, one line", newWorld(HDMDB, 2, 1, NewFilter(1, 1), 0, 2, 2), func(int, int) []start { return []start{{0, Load}, {0, Update}} }, 1, 1},
		{"two hosts, a filter of one line", newWorld(HDMDB, 2, 2, NewFilter(1, 1), 0, 1, 1), every(0, 64), 0, 1},
		{"two hosts, caches of one line", newWorld(HDMDB, 2, 1, NewFilter(1, 2), 0, 1, 1), every(0, 64), 0, 1},
		// host 0 waits for line 0 in its only place when line 64 comes, which host 1
		// wants too
		{"a line that finds no place", prepared(newWorld(HDMDB, 2, 1, NewFilter(1, 2), 0, 2, 1), 0), func(agent, n int) []start {
			return [][]start{{{64, Load}, {0, Update}}, {{64, Store}}}[agent][n-1 : n]
		}, 0, 1},
		{"three hosts", newWorld(HDMDB, 3, 1, NewFilter(1, 1), 0, 1, 1, 1), func(int, int) []start { return []start{{0, Load}, {0, Update}} }, 0, 1},
		{"two hosts and an accelerator", newWorld(HDMDB, 2, 1, NewFilter(1, 1), 1, 1, 1, 1), func(int, int) []start { return []start{{0, Load}, {0, Update}} }, 0, 1},
		{"hosts without caches", newWorld(HDMDB, 2, 0, NewFilter(1, 1), 0, 1, 2), every(0), 1, 1},
		{"a host and an accelerator, back-invalidation", newWorld(HDMDB, 1, 1, NewFilter(1, 1), 1, 2, 2), every(0), 1, 1},
		{"a host and an accelerator, bias", newWorld(HDMD, 1, 1, NewFilter(0, 0), 1, 2, 2), every(0), 0, 0},
		{"a host and an accelerator, bias, two lines", newWorld(HDMD, 1, 1, NewFilter(0, 0), 1, 1, 1), every(0, 64), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.w.plan = c.plan
			c.w.most = new([2]uint64)
			states := explore(t, c.w, 3_000_000)
			t.Logf("%d states, most conflicts of a host: early %d, late %d", states, c.w.most[0], c.w.most[1])
			require.GreaterOrEqual(t, c.w.most[0], c.early)
			require.GreaterOrEqual(t, c.w.most[1], c.late)
		})
	}
}

// Orders at random of larger systems: hosts with caches of a few lines, a filter
// that is too small for them, and an accelerator.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.IntRange(1, 4).Draw(t, "hosts")
		model := rapid.SampledFrom([]Model{HDMDB, HDMDB, HDMD}).Draw(t, "model")
		f := NewFilter(rapid.IntRange(1, 2).Draw(t, "sets"), rapid.IntRange(1, 3).Draw(t, "ways"))
		if model == HDMD {
			hosts, f = 1, NewFilter(0, 0)
		}
		left := make([]int, hosts+1)
		for i := range left {
			left[i] = rapid.IntRange(0, 40).Draw(t, "accesses")
		}
		w := newWorld(model, hosts, rapid.IntRange(0, 3).Draw(t, "host ways"), f, rapid.IntRange(0, 2).Draw(t, "device ways"), left...)
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

// owner is the sharer of an exclusive copy, or -1.
func (e entry) owner() int {
	if !e.alone || e.sharers == 0 {
		return -1
	}
	return bits.TrailingZeros64(e.sharers)
}
