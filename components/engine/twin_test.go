package engine

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A stream is what the twin and the wire are both asked to carry: sources that
// offer messages from given cycles on, one per cycle, and a sink that takes one
// message in all but every busy-th cycle. Periods are in ns/1000.
type stream struct {
	sources []streamEnd
	sink    streamEnd
	busy    int
}

type streamEnd struct {
	period   int64 // ps
	opts     EndOptions
	capacity int      // sink
	from     []uint64 // source: the cycle from which on message i is offered
	bytes    []int
}

func (e streamEnd) clock() clock.Clock { return clock.Period(uint64(e.period), 1e12) }

// A twinMsg is a message in the twin: where it is follows from its fields.
type twinMsg struct {
	src, seq  int
	start, at int64 // ps: leaves the buffer, is put into the port
}

// twin carries the stream by looking at every picosecond at which anything has
// a cycle, and asking everybody. It is the package documentation, line by line.
func (s stream) twin() (log []string) {
	type source struct {
		next  int
		freed *big.Rat // the serializer, in ps
	}
	n := len(s.sources)
	src := make([]source, n)
	for i := range src {
		src[i].freed = new(big.Rat)
	}
	sinkFree := new(big.Rat)
	var moving, waiting []*twinMsg // on their way or behind a serializer; blocked
	var port []*twinMsg
	last, left := n-1, 0
	for _, x := range s.sources {
		left += len(x.from)
	}
	// through books a message on a serializer and returns its beginning, cut to
	// the cycle, and the end of its last cycle.
	through := func(e streamEnd, free *big.Rat, t int64, bytes int) (start, end int64) {
		cycle := t / e.period * e.period
		if free.Cmp(ratOf(cycle)) < 0 {
			free.SetInt64(cycle)
		}
		start = max(t, floor(free)/e.period*e.period)
		free.Add(free, new(big.Rat).SetFrac(big.NewInt(int64(bytes)*8e12), big.NewInt(int64(e.opts.Bandwidth))))
		end = -(floor(new(big.Rat).Neg(new(big.Rat).Quo(free, ratOf(e.period))))) * e.period
		return start, max(end, start/e.period*e.period+e.period)
	}
	for t := int64(0); left > 0; t = s.nextInstant(t) {
		// Primary events.
		if t%s.sink.period == 0 && len(port) > 0 && (s.busy == 0 || t/s.sink.period%int64(s.busy) != 0) {
			log = append(log, fmt.Sprintf("%d got %d.%d", t, port[0].src, port[0].seq))
			port = port[1:]
			left--
		}
		var offers []*twinMsg
		for i, x := range s.sources {
			p := &src[i]
			if t%x.period != 0 || p.next == len(x.from) || t/x.period < int64(x.from[p.next]) {
				continue
			}
			held := 0
			for _, m := range moving {
				if m.src == i && m.start >= t {
					held++
				}
			}
			for _, m := range waiting {
				if m.src == i {
					held++
				}
			}
			if held < x.opts.Buffer {
				log = append(log, fmt.Sprintf("%d sent %d.%d", t, i, p.next))
				offers = append(offers, &twinMsg{src: i, seq: p.next})
				p.next++
			}
		}
		// The wire.
		for _, m := range offers { // in order of source
			x, bytes := s.sources[m.src], s.sources[m.src].bytes[m.seq]
			m.start = t
			ready, seen := t, int64(0)
			if x.opts.Bandwidth > 0 {
				var end int64
				m.start, end = through(x, src[m.src].freed, t, bytes)
				ready = max(t, end-x.period)
			}
			if s.sink.opts.Bandwidth > 0 {
				var start int64
				start, seen = through(s.sink, sinkFree, m.start, bytes)
				m.start = max(m.start, start)
			}
			for _, o := range moving {
				if o.src == m.src {
					m.start = max(m.start, o.start)
				}
			}
			cycle := max(ready/s.sink.period+1, seen/s.sink.period) + int64(s.sink.opts.Latency) - 1
			m.at = max(ready, (cycle-1)*s.sink.period)
			moving = append(moving, m)
		}
		slices.SortStableFunc(moving, func(a, b *twinMsg) int { return int(a.at - b.at) })
		for len(moving) > 0 && moving[0].at <= t {
			m := moving[0]
			moving = moving[1:]
			if len(waiting) == 0 && len(port) < s.sink.capacity {
				port = append(port, m)
				last = m.src
			} else {
				waiting = append(waiting, m)
			}
		}
		for len(waiting) > 0 && len(port) < s.sink.capacity {
			for d := 1; ; d++ {
				i := slices.IndexFunc(waiting, func(m *twinMsg) bool { return m.src == (last+d)%n })
				if i >= 0 {
					port = append(port, waiting[i])
					last = waiting[i].src
					waiting = slices.Delete(waiting, i, i+1)
					break
				}
			}
		}
	}
	return log
}

func ratOf(x int64) *big.Rat { return new(big.Rat).SetInt64(x) }

func floor(r *big.Rat) int64 {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	_ = m
	return q.Int64()
}

func (s stream) nextInstant(t int64) int64 {
	next := (t/s.sink.period + 1) * s.sink.period
	for _, x := range s.sources {
		next = min(next, (t/x.period+1)*x.period)
	}
	return next
}

// streamer offers the messages of a source.
type streamer struct {
	*sim.ComponentBase
	end  streamEnd
	tick *Ticker
	port *Port
	next int
	log  func(now sim.VTimeInSec, what string, src, seq int)
	id   int
}

func (p *streamer) NotifyRecv(sim.VTimeInSec, sim.Port)           {}
func (p *streamer) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { p.tick.WakeAfter(now) }
func (p *streamer) Handle(e sim.Event) error {
	now := e.Time()
	cycle := p.tick.Cycle(now)
	if p.next < len(p.end.from) && p.end.from[p.next] <= cycle {
		m := &reqMsg{from: p.id, seq: p.next}
		m.Src, m.TrafficBytes = p.port, p.end.bytes[p.next]
		if p.port.Send(m) != nil {
			return nil
		}
		p.log(now, "sent", p.id, p.next)
		p.next++
	}
	if p.next < len(p.end.from) {
		p.tick.WakeAt(max(cycle+1, p.end.from[p.next]))
	}
	return nil
}

// drainer is the sink.
type drainer struct {
	*sim.ComponentBase
	busy uint64
	tick *Ticker
	port *Port
	log  func(now sim.VTimeInSec, what string, src, seq int)
}

func (p *drainer) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { p.tick.WakeAfter(now) }
func (p *drainer) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) {}
func (p *drainer) Handle(e sim.Event) error {
	now := e.Time()
	if p.busy == 0 || p.tick.Cycle(now)%p.busy != 0 {
		m := p.port.Retrieve(now).(*reqMsg)
		p.log(now, "got", m.from, m.seq)
	}
	if p.port.Peek() != nil {
		p.tick.WakeAfter(now)
	}
	return nil
}

// wire carries the stream over a Wire.
func (s stream) wire(t require.TestingT, opts ...Option) []string {
	e := New(opts...)
	w := NewWire("Wire", e)
	var log []string
	note := func(now sim.VTimeInSec, what string, src, seq int) {
		log = append(log, fmt.Sprintf("%.0f %s %d.%d", float64(now)*1e12, what, src, seq))
	}
	d := &drainer{ComponentBase: sim.NewComponentBase("Sink"), busy: uint64(s.busy), log: note}
	d.tick = NewTicker(e, s.sink.clock(), d)
	d.port = NewPort(d, "Sink.Port", s.sink.capacity)
	up := s.sink.opts
	up.Uplink = true
	w.Attach(d.port, s.sink.clock(), up)
	for i, x := range s.sources {
		p := &streamer{ComponentBase: sim.NewComponentBase(fmt.Sprintf("S[%d]", i)), end: x, log: note, id: i}
		p.tick = NewTicker(e, x.clock(), p)
		p.port = NewPort(p, fmt.Sprintf("S[%d].Port", i), 1)
		w.Attach(p.port, x.clock(), x.opts)
		if len(x.from) > 0 {
			p.tick.WakeAt(x.from[0])
		}
	}
	require.NoError(t, e.Run())
	return log
}

// The wire does at every time what the twin does.
func TestWireIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStream(t)
		want, got := s.twin(), s.wire(t, Shuffle(uint64(rapid.Byte().Draw(t, "seed"))))
		// Events of one time may be logged in any order.
		byTime := func(a, b string) int {
			var x, y int64
			fmt.Sscan(a, &x)
			fmt.Sscan(b, &y)
			if x != y {
				return int(x - y)
			}
			return compareNames(a, b)
		}
		slices.SortFunc(want, byTime)
		slices.SortFunc(got, byTime)
		require.Equal(t, want, got)
	})
}

func drawStream(t *rapid.T) stream {
	draw := func(lo, hi int, what string) int { return rapid.IntRange(lo, hi).Draw(t, what) }
	end := func(what string) streamEnd {
		e := streamEnd{period: rapid.SampledFrom([]int64{1000, 416, 500, 1500, 3000, 937}).Draw(t, what+".period")}
		e.opts = EndOptions{Latency: uint64(draw(1, 5, what+".latency")), Buffer: draw(1, 4, what+".buffer")}
		if rapid.Bool().Draw(t, what+".limited") {
			e.opts.Bandwidth = units.Bandwidth(draw(1, 300, what+".GB/s") * 8e9)
		}
		return e
	}
	s := stream{sink: end("sink"), busy: draw(0, 4, "busy")}
	if s.busy == 1 {
		s.busy = 0
	}
	s.sink.capacity = draw(1, 3, "capacity")
	for i := range draw(1, 4, "sources") {
		x := end(fmt.Sprintf("source%d", i))
		from := uint64(0)
		for range draw(0, 12, "messages") {
			from += uint64(draw(0, 4, "gap"))
			x.from = append(x.from, from)
			x.bytes = append(x.bytes, draw(0, 300, "bytes"))
		}
		s.sources = append(s.sources, x)
	}
	return s
}
