package fabric

import (
	"context"
	"math"
)

// Rules say how long to measure. They are those of BookSim 2.0
// (trafficmanager.cpp, revision 28f4329): Warmup samples are thrown away; then
// samples are added up until three of them in a row have changed the mean latency
// and the accepted load by less than Change; then traffic goes on until every
// packet that was created while measuring has arrived.
type Rules struct {
	Sample  int     // cycles per sample
	Warmup  int     // samples
	Samples int     // most samples, warm-up included
	Change  float64 // relative
	// Limit of the mean latency in cycles, packets under way included. Beyond it
	// the network is saturated and the measurement ends. 0 measures the accepted
	// load only: no limit, and nobody waits for packets under way.
	Limit float64
}

// BookSimRules are BookSim's defaults.
func BookSimRules() Rules {
	return Rules{Sample: 1000, Warmup: 3, Samples: 10, Change: .05, Limit: 500}
}

// A Result is what Measure found. Means are over the packets created while
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

func (t *tally) clear(n *Network) {
	*t = tally{since: n.now, ejected: n.ejected, min: math.MaxInt64}
}

func (t *tally) add(d Delivery) {
	l := d.Arrived - d.Created
	t.packets++
	t.hops += uint64(d.Hops)
	t.latency += l
	t.net += d.Arrived - d.Injected
	t.min, t.max = min(t.min, l), max(t.max, l)
}

func (t *tally) mean() float64 { return float64(t.latency) / float64(t.packets) }

// withWaiting is the mean latency if all that is under way arrived now.
func (t *tally) withWaiting(n *Network) float64 {
	return float64(t.latency+n.waiting*n.now-n.created) / float64(t.packets+uint64(n.waiting))
}

// Measure runs a load on an unused network. The error is that of the context,
// or a *Stuck.
func Measure(ctx context.Context, n *Network, load Load, rules Rules) (Result, error) {
	m := measurement{n: n, src: newSources(n, load), rules: rules, ctx: ctx}
	n.Delivered = func(d Delivery) {
		if !m.measuring || d.Record {
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
	n         *Network
	src       *sources
	rules     Rules
	ctx       context.Context
	measuring bool // warm-up is over
	recorded  int64
}

// step simulates one cycle in which new packets are recorded or not.
func (m *measurement) step(record bool) error {
	if record {
		m.recorded += m.src.fill(m.n.now + 1)
	} else {
		m.src.fill(0)
	}
	m.n.Step()
	if m.n.now&1023 != 0 {
		return nil
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	return m.n.stuck()
}

func (m *measurement) run() (Result, error) {
	var latency, accepted, lastLatency, lastAccepted float64
	converged := 0
	clear := false
	saturated := false
	for i := 0; i < m.rules.Samples && converged < 3; i++ {
		if clear || !m.measuring && i%2 == 0 {
			m.clear(m.n)
			clear = false
		}
		for range m.rules.Sample {
			if err := m.step(m.measuring); err != nil {
				return Result{}, err
			}
		}
		latency, accepted = m.mean(), m.accepted()
		steady := math.Abs(accepted-lastAccepted) <= m.rules.Change*accepted
		if m.rules.Limit > 0 {
			if saturated = m.withWaiting(m.n) > m.rules.Limit; saturated {
				break
			}
			steady = steady && math.Abs(latency-lastLatency) <= m.rules.Change*latency
		}
		lastLatency, lastAccepted = latency, accepted
		switch {
		case m.measuring && steady:
			converged++
		case m.measuring:
			converged = 0
		case i+1 >= m.rules.Warmup:
			m.measuring, clear = true, true
		}
	}
	if !saturated && m.rules.Limit > 0 {
		var err error
		if saturated, err = m.drain(); err != nil {
			return Result{}, err
		}
	}
	r := Result{Saturated: saturated, Packets: m.packets, Accepted: accepted, Cycles: m.n.now}
	if m.packets > 0 {
		n := float64(m.packets)
		r.Latency, r.NetLatency, r.Hops = m.mean(), float64(m.net)/n, float64(m.hops)/n
		r.Min, r.Max = m.min, m.max
	}
	return r, nil
}

func (m *measurement) accepted() float64 {
	return float64(m.n.ejected-m.ejected) / float64(m.n.now-m.since) / float64(m.n.Terminals())
}

// drain waits for the measured packets. Terminals that are behind still create
// some that were due before; they are measured too.
func (m *measurement) drain() (saturated bool, err error) {
	end := m.n.now
	behind := true
	for steps := 1; m.recorded > 0 || behind; steps++ {
		m.recorded += m.src.fill(end)
		m.n.Step()
		behind = false
		for _, due := range m.src.due {
			behind = behind || due < end
		}
		if steps%1000 == 0 {
			if err := m.ctx.Err(); err != nil {
				return false, err
			}
			if err := m.n.stuck(); err != nil {
				return false, err
			}
			if m.withWaiting(m.n) > m.rules.Limit {
				return true, nil
			}
		}
	}
	return false, nil
}
