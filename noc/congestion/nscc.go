package congestion

import "github.com/causeway-sim/causeway/components/units"

// NSCC is the parameters of nscc.
type NSCC struct {
	Target     units.Time `yaml:"target_delay" doc:"Target queueing delay; 0ns: 0.75 of the longest round trip if queues trim, else all of it"`
	Alpha      float64    `yaml:"proportional" doc:"Proportional increase below the target, in payloads per window, before scaling (alpha)"`
	Fair       float64    `yaml:"fair" doc:"Fair increase above the target without a mark, in payloads per window, before scaling (fi)"`
	Eta        float64    `yaml:"eta" doc:"Increase per round trip, in payloads, before scaling"`
	Gamma      float64    `yaml:"gamma" doc:"Strength of the decrease by the excess of the mean delay"`
	Most       float64    `yaml:"max_decrease" doc:"Largest share of a decrease"`
	Gain       float64    `yaml:"delay_gain" doc:"Weight of a delay in the mean"`
	Fast       float64    `yaml:"fast" doc:"Share of acknowledged bytes by which the window grows when a window of packets saw no queue, before scaling"`
	FastBelow  units.Time `yaml:"fast_below" doc:"Delay that counts as no queue"`
	Gate       int        `yaml:"quick_gate" jsonschema:"minimum=0,maximum=32" doc:"Quick adapt, after a loss or four times the target, if the bytes of a round trip are below the largest window over 2 to this power"`
	MaxWindow  float64    `yaml:"max_window" doc:"Largest window, and that of a new flow, in bandwidth-delay products"`
	Adjust     int        `yaml:"adjust_packets" jsonschema:"minimum=1,maximum=1000" doc:"Packets after which increases take effect; at least once per round trip they do"`
	QuickAdapt bool       `yaml:"quick_adapt" doc:"Set the window to the bytes of the last round trip at heavy congestion"`
}

var defaultNSCC = NSCC{
	Alpha: 4, Fair: 5, Eta: 0.15, Gamma: 0.8, Most: 0.5, Gain: 0.0125, Fast: 0.25, FastBelow: units.Microsecond,
	Gate: 3, MaxWindow: 1.5, Adjust: 8, QuickAdapt: true,
}

func init() {
	add("nscc", "Window-based on marks and delay, of Ultra Ethernet: four cases by mark and target delay, quick adapt at losses; for packets on many paths (nic.spray).",
		"Ultra Ethernet Specification 1.0, section 3.6.13, network signaled congestion control", defaultNSCC, newNSCC)
}

func newNSCC(s NSCC) (Algorithm, error) {
	var c checks
	c.between("proportional", s.Alpha, 0, 1e6)
	c.between("fair", s.Fair, 0, 1e6)
	c.between("eta", s.Eta, 0, 1e6)
	c.between("gamma", s.Gamma, 0, 1e3)
	c.between("max_decrease", s.Most, 0, 1)
	c.between("delay_gain", s.Gain, 1e-9, 1)
	c.between("fast", s.Fast, 0, 1e3)
	c.between("quick_gate", float64(s.Gate), 0, 32)
	c.between("max_window", s.MaxWindow, 1e-3, 1e6)
	c.between("adjust_packets", float64(s.Adjust), 1, 1000)
	return &s, c.err()
}

// The network by which increases are scaled: 100 Gbit/s and a round trip of 12 us.
const (
	referenceRTT  = 12000.0
	referenceRate = 12.5
)

// Needs implements Algorithm.
func (s *NSCC) Needs() Needs { return Needs{Marks: true, Selective: true} }

// Start implements Algorithm.
func (s *NSCC) Start(p Path) Control {
	f := &nscc{spec: s, rate: p.Rate, packet: p.Packet, base: p.RTT, farthest: p.Farthest, target: ns(s.Target)}
	if f.target == 0 {
		f.target = p.Farthest
		if p.Trims {
			f.target *= 0.75
		}
	}
	a := p.Farthest * p.Rate / (referenceRTT * referenceRate) // scaling_a
	b := f.target / referenceRTT                              // scaling_b
	f.alpha = s.Alpha * p.Payload * a * b / f.target
	f.fair = s.Fair * p.Payload * a
	f.eta = s.Eta * p.Payload * a
	f.fast = s.Fast * a
	f.bound()
	f.window = f.most
	return f
}

// nscc is a flow. Windows are in bytes.
type nscc struct {
	spec                   *NSCC
	rate, packet           float64
	base                   float64 // round trip of the empty path, the least seen
	farthest, target       float64
	alpha, fair, eta, fast float64 // scaled
	window, most           float64
	delay                  float64 // mean
	more                   float64 // increases that are still to be divided by the window
	received               float64 // since they were
	adjusted               float64 // time
	decreased              float64 // time
	quiet                  float64 // bytes in a row that saw no queue
	growing                bool
	achieved               float64 // bytes since the window of quick adapt began
	ends                   float64 // of that window; 0: none began
	ignore, ignored        float64 // bytes sent before the last quick adapt, and of them acknowledged
	lost                   bool    // since the last quick adapt
}

// bound sets the largest window of the round trip.
func (f *nscc) bound() { f.most = max(f.spec.MaxWindow*f.base*f.rate, f.packet) }

// clip keeps the window between a packet and the largest.
func (f *nscc) clip() { f.window = min(max(f.window, f.packet), f.most) }

// Allow implements Control.
func (f *nscc) Allow(float64) (window, rate float64) { return f.window, unlimited }

// Sent implements Control.
func (f *nscc) Sent(float64, float64) {}

// Acked implements Control.
func (f *nscc) Acked(a *Ack) {
	f.achieved += a.Bytes
	f.received += a.Bytes
	f.ignored += a.Bytes
	delay := f.delay
	if a.RTT > 0 {
		if a.RTT < f.base {
			f.base = a.RTT
			f.bound()
		}
		delay = a.RTT - f.base
		f.average(delay, a.Marked)
	}
	if f.adapt(a.Now, delay, a.InFlight, a.Marked, false) {
		return
	}
	switch above := delay >= f.target; {
	case !a.Marked && above:
		f.more += f.fair * a.Bytes
	case !a.Marked:
		f.increase(a.Bytes, delay)
	case above:
		f.decrease(a.Now)
	} // marked below the target: only another path may help
	f.clip()
	if f.received > float64(f.spec.Adjust)*f.packet || a.Now-f.adjusted > f.farthest {
		f.fulfill(a.Now)
	}
}

// average takes a delay into the mean. Above the target without a mark the queue is draining,
// and a quarter of the round trip counts instead.
func (f *nscc) average(delay float64, marked bool) {
	if !marked && delay > f.target {
		delay = f.base / 4
	}
	f.delay += f.spec.Gain * (delay - f.delay)
}

// increase is the proportional increase, or the fast one after a window without a queue.
func (f *nscc) increase(bytes, delay float64) {
	if delay < ns(f.spec.FastBelow) {
		if f.quiet += bytes; f.growing || f.quiet > f.window {
			f.growing = true
			f.window += f.fast * bytes
			return
		}
	} else {
		f.quiet = 0
	}
	f.growing = false
	f.more += f.alpha * bytes * (f.target - delay)
}

// decrease is the multiplicative decrease, at most once per round trip.
func (f *nscc) decrease(now float64) {
	f.growing, f.quiet = false, 0
	if f.delay <= f.target || now-f.decreased <= f.base {
		return
	}
	f.window = max(f.window*max(1-f.spec.Gamma*(f.delay-f.target)/f.delay, 1-f.spec.Most), f.packet)
	f.decreased = now
}

// fulfill lets increases take effect.
func (f *nscc) fulfill(now float64) {
	f.window += f.more / f.window
	if now-f.adjusted >= f.farthest {
		f.window += f.eta
		f.adjusted = now
	}
	f.more, f.received = 0, 0
	f.clip()
}

// adapt is quick adapt: at heavy congestion the window becomes what has arrived in a round trip. It
// reports whether the acknowledgement counts for nothing else.
func (f *nscc) adapt(now, delay, flight float64, marked, lost bool) (done bool) {
	switch {
	case !f.spec.QuickAdapt:
		return false
	case f.ignored < f.ignore && marked:
		done = true
	case now > f.ends:
		heavy := f.lost || lost || delay > 4*f.target
		if f.ends > 0 && heavy && f.achieved*float64(uint64(1)<<f.spec.Gate) < f.most {
			f.window = max(f.achieved, f.packet)
			f.ignore, f.ignored, f.lost, done = flight, 0, false, true
		}
		f.achieved = 0
		f.ends = now + f.base + f.target
	}
	if done {
		f.more, f.received = 0, 0
	}
	return done
}

// Lost implements Control. A trimmed packet counts as a delay of the farthest round trip.
func (f *nscc) Lost(l *Loss) {
	if l.Timeout {
		f.window = max(f.window-l.Bytes, f.packet)
		return
	}
	f.ignored += l.Bytes
	f.average(f.farthest, true)
	f.lost = true
	if !f.adapt(l.Now, 0, l.InFlight+l.Bytes, true, true) {
		f.window -= l.Bytes
		f.clip()
	}
}
