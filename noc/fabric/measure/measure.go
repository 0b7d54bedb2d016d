// Package measure runs synthetic traffic on a network without a simulator, and says what latency
// and throughput it has, by the rules of BookSim 2.0. Node kind traffic measures the same in a
// system.
//
//	r, err := measure.Run(ctx, network, measure.Load{Pattern: uniform, Rate: .1, Seed: 1}, measure.BookSimRules())
package measure

import (
	"context"
	"math"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/peers/booksim"
)

// Rules say how long to measure, as BookSim 2.0 does; then traffic goes on until every
// packet that was created while measuring has arrived.
type Rules = booksim.Rules

// BookSimRules are BookSim's defaults.
func BookSimRules() Rules { return booksim.Defaults() }

// A Result is what Run found. Means are over the packets created while
// measuring.
type Result struct {
	Saturated  bool
	Packets    uint64  // measured
	Latency    float64 // cycles from creation to the last flit's arrival
	NetLatency float64 // cycles from injection
	Min, Max   int64   // latency
	Hops       float64 // channels between routers
	Accepted   float64 // flits per terminal and cycle
	Cycles     int64   // simulated, warm-up and drain included
}

// tally adds up what is measured between two clearings.
type tally struct {
	packets, hops uint64
	latency, net  int64
	min, max      int64
	since         int64  // cycle of the clearing
	ejected       uint64 // flits until then
}

func (t *tally) clear(n *fabric.Network) {
	*t = tally{since: n.Now(), ejected: n.Ejected(), min: math.MaxInt64}
}

func (t *tally) add(d fabric.Delivery) {
	l := d.Arrived - d.Created
	t.packets++
	t.hops += uint64(d.Hops)
	t.latency += l
	t.net += d.Arrived - d.Injected
	t.min, t.max = min(t.min, l), max(t.max, l)
}

func (t *tally) mean() float64 { return float64(t.latency) / float64(t.packets) }

// withWaiting is the mean latency if all that is under way arrived now.
func (t *tally) withWaiting(n *fabric.Network) float64 {
	waiting, created := n.Pending()
	return float64(t.latency+waiting*n.Now()-created) / float64(t.packets+uint64(waiting))
}

// Run runs a load on an unused network. The error is that of the context,
// or a *fabric.Stuck.
func Run(ctx context.Context, n *fabric.Network, load Load, rules Rules) (Result, error) {
	m := measurement{n: n, src: newSources(n, load), rules: rules, series: booksim.Series{Rules: rules}, ctx: ctx}
	n.Delivered = func(d fabric.Delivery) {
		if !m.series.Measuring || d.Record {
			m.add(d)
		}
		if d.Record {
			m.recorded--
		}
	}
	defer func() { n.Delivered = nil }()
	return m.run()
}

type measurement struct {
	tally
	n        *fabric.Network
	src      *sources
	rules    Rules
	series   booksim.Series
	ctx      context.Context
	recorded int64
}

// step simulates one cycle in which new packets are recorded or not.
func (m *measurement) step(record bool) error {
	if record {
		m.recorded += m.src.fill(m.n.Now() + 1)
	} else {
		m.src.fill(0)
	}
	m.n.Step()
	if m.n.Now()&1023 != 0 {
		return nil
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	return m.n.Stuck()
}

func (m *measurement) run() (Result, error) {
	var accepted float64
	saturated := false
	for more := true; more; {
		if m.series.Begin() {
			m.clear(m.n)
		}
		for range m.rules.Sample {
			if err := m.step(m.series.Measuring); err != nil {
				return Result{}, err
			}
		}
		accepted = m.accepted()
		if m.rules.Limit > 0 {
			if saturated = m.withWaiting(m.n) > m.rules.Limit; saturated {
				break
			}
		}
		more = m.series.End(m.mean(), accepted, m.rules.Limit > 0)
	}
	if !saturated && m.rules.Limit > 0 {
		var err error
		if saturated, err = m.drain(); err != nil {
			return Result{}, err
		}
	}
	r := Result{Saturated: saturated, Packets: m.packets, Accepted: accepted, Cycles: m.n.Now()}
	if m.packets > 0 {
		n := float64(m.packets)
		r.Latency, r.NetLatency, r.Hops = m.mean(), float64(m.net)/n, float64(m.hops)/n
		r.Min, r.Max = m.min, m.max
	}
	return r, nil
}

func (m *measurement) accepted() float64 {
	return float64(m.n.Ejected()-m.ejected) / float64(m.n.Now()-m.since) / float64(m.n.Terminals())
}

// drain waits for the measured packets. Terminals that are late still create
// some that were due before; they are measured too.
func (m *measurement) drain() (saturated bool, err error) {
	end, d := m.n.Now(), booksim.Drain{Rules: m.rules}
	waiting := func() float64 { return m.withWaiting(m.n) }
	for over := false; !over; {
		m.recorded += m.src.fill(end)
		m.n.Step()
		if (m.n.Now()-end)%512 == 0 {
			if err := m.ctx.Err(); err != nil {
				return false, err
			}
			if err := m.n.Stuck(); err != nil {
				return false, err
			}
		}
		over, saturated = d.Cycle(m.recorded > 0 || booksim.Behind(m.src.due, end), waiting)
	}
	return saturated, nil
}
