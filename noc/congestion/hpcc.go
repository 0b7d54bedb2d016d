package congestion

import "github.com/causeway-sim/causeway/components/units"

// HPCC is the parameters of hpcc.
type HPCC struct {
	Utilization float64    `yaml:"utilization" doc:"Target utilization of the busiest channel (eta)"`
	Stages      int        `yaml:"max_stages" jsonschema:"minimum=0,maximum=1000" doc:"Additive increases, one per round trip, before the window follows the utilization again (maxStage)"`
	Flows       float64    `yaml:"flows" doc:"Flows of a channel that are expected at most (N): the additive increase W_AI is window * (1 - utilization) / flows"`
	RTT         units.Time `yaml:"base_rtt" doc:"Round trip of the empty network (T); 0ns: the longest of any two terminals"`
}

func init() {
	add("hpcc", "Window-based on telemetry: switches report queue, bytes and time, from which the sender computes the bytes in flight of the busiest channel.",
		"Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019, algorithm 1; values of section 5.1",
		HPCC{Utilization: 0.95, Stages: 5, Flows: 100}, newHPCC)
}

func newHPCC(s HPCC) (Algorithm, error) {
	var c checks
	c.between("utilization", s.Utilization, 0.01, 1)
	c.between("max_stages", float64(s.Stages), 0, 1000)
	c.between("flows", s.Flows, 1, 1e9)
	return &s, c.err()
}

// Needs implements Algorithm.
func (s *HPCC) Needs() Needs { return Needs{Telemetry: true} }

// Start implements Algorithm. A flow begins at the rate of its channel.
func (s *HPCC) Start(p Path) Control {
	t := ns(s.RTT)
	if t == 0 {
		t = p.Farthest
	}
	w := max(p.Rate*t, p.Packet)
	return &hpcc{spec: s, rtt: t, packet: p.Packet, full: w, window: w, base: w, more: w * (1 - s.Utilization) / s.Flows, use: 1}
}

// hpcc is a flow. Windows are in bytes.
type hpcc struct {
	spec         *HPCC
	rtt, packet  float64
	full         float64 // window of the full rate
	window, base float64 // W, Wc
	more         float64 // W_AI
	use          float64 // U
	stage        int     // incStage
	updated      uint64  // lastUpdateSeq
	last         []Hop   // L
}

// Allow implements Control.
func (f *hpcc) Allow(float64) (window, rate float64) { return f.window, f.window / f.rtt }

// Sent implements Control.
func (f *hpcc) Sent(float64, float64) {}

// Acked implements Control: procedure NewAck.
func (f *hpcc) Acked(a *Ack) {
	if len(a.Telemetry) == 0 {
		return
	}
	if len(f.last) != len(a.Telemetry) { // the first one, or another path
		f.last = append(f.last[:0], a.Telemetry...)
		return
	}
	f.measure(a.Telemetry)
	update := a.Last >= f.updated
	f.window = f.compute(update)
	if update {
		f.updated = a.Next
	}
	copy(f.last, a.Telemetry)
}

// measure is function MeasureInflight.
func (f *hpcc) measure(hops []Hop) {
	use, span := 0.0, 0.0
	for i := range hops {
		l, was := &hops[i], &f.last[i]
		dt := l.Now - was.Now
		if dt <= 0 || l.Rate <= 0 {
			continue
		}
		u := min(l.Queue, was.Queue)/(l.Rate*f.rtt) + (l.Sent-was.Sent)/dt/l.Rate
		if u > use {
			use, span = u, dt
		}
	}
	w := min(span, f.rtt) / f.rtt
	f.use = (1-w)*f.use + w*use
}

// compute is function ComputeWind. The window of the full rate bounds it.
func (f *hpcc) compute(update bool) float64 {
	raise := f.use < f.spec.Utilization && f.stage < f.spec.Stages
	w := f.base + f.more
	if !raise {
		w = f.base/(f.use/f.spec.Utilization) + f.more
	}
	w = min(max(w, f.more), f.full)
	if update {
		f.base = w
		if f.stage++; !raise {
			f.stage = 0
		}
	}
	return w
}

// Lost implements Control: the paper leaves losses to priority flow control.
func (f *hpcc) Lost(*Loss) {}
