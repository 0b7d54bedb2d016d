package congestion

import (
	"math"

	"github.com/causeway-sim/causeway/components/units"
)

// Swift is the parameters of swift.
type Swift struct {
	Base     units.Time `yaml:"base_target" doc:"Target delay without hops and flow scaling"`
	Hop      units.Time `yaml:"hop_target" doc:"Target delay per channel on the path"`
	Increase float64    `yaml:"increase" doc:"Additive increase, in packets per round trip (ai)"`
	Beta     float64    `yaml:"beta" doc:"Strength of the decrease by the excess of delay"`
	Most     float64    `yaml:"max_decrease" doc:"Largest share of a decrease (max_mdf)"`
	Range    units.Time `yaml:"scaling_range" doc:"Largest additional target delay of small windows (fs_range); 0ns: none"`
	MinScale float64    `yaml:"scaling_min" doc:"Window in packets at and below which the additional target is largest (fs_min_cwnd)"`
	MaxScale float64    `yaml:"scaling_max" doc:"Window in packets from which there is none (fs_max_cwnd)"`
	Initial  float64    `yaml:"initial_window" doc:"Window of a new flow, in packets; 0 is the bandwidth-delay product"`
	Least    float64    `yaml:"min_window" doc:"Least window, in packets; below 1 packets are paced"`
	Largest  float64    `yaml:"max_window" doc:"Largest window, in packets"`
	Resets   int        `yaml:"reset_after" jsonschema:"minimum=1,maximum=1000" doc:"Timeouts in a row after which the window is the least (RETX_RESET_THRESHOLD)"`
}

// defaultSwift: the paper gives the structure, ai and max_mdf, and keeps the other values.
//
// assumption: targets, beta and the range of flow scaling are the public htsim's.
var defaultSwift = Swift{
	Base: 20 * units.Microsecond, Hop: 3050 * units.Nanosecond, Increase: 1, Beta: 0.8, Most: 0.5,
	Range: 100 * units.Microsecond, MinScale: 0.1, MaxScale: 100, Least: 0.01, Largest: 1000, Resets: 5,
}

func init() {
	add("swift", "Window-based on delay: a target delay by hops and window, additive increase below, a decrease by the excess above.",
		"Kumar et al., Swift: Delay is Simple and Effective for Congestion Control in the Datacenter, SIGCOMM 2020, algorithm 1 and section 3.5", defaultSwift, newSwift)
}

func newSwift(s Swift) (Algorithm, error) {
	var c checks
	c.positive("base_target", s.Base == 0, s.Base)
	c.between("increase", s.Increase, 1e-6, 1e6)
	c.between("beta", s.Beta, 0, 1e3)
	c.between("max_decrease", s.Most, 0, 1)
	c.between("scaling_min", s.MinScale, 1e-6, 1e6)
	if s.Range > 0 {
		c.between("scaling_max", s.MaxScale, s.MinScale*1.000001, 1e9)
	}
	c.between("initial_window", s.Initial, 0, 1e9)
	c.between("min_window", s.Least, 1e-6, 1e6)
	c.between("max_window", s.Largest, max(1, s.Least), 1e9)
	c.between("reset_after", float64(s.Resets), 1, 1000)
	return &s, c.err()
}

// Needs implements Algorithm.
func (s *Swift) Needs() Needs { return Needs{Selective: true} }

// Start implements Algorithm.
func (s *Swift) Start(p Path) Control {
	f := &swift{spec: s, packet: p.Packet, window: s.Initial, rtt: p.RTT, target: ns(s.Base) + float64(p.Hops)*ns(s.Hop)}
	if f.window == 0 {
		f.window = max(1, p.Rate*p.RTT/p.Packet)
	}
	if s.Range > 0 {
		f.alpha = ns(s.Range) / (1/math.Sqrt(s.MinScale) - 1/math.Sqrt(s.MaxScale))
		f.beta = -f.alpha / math.Sqrt(s.MaxScale)
	}
	f.window = min(max(f.window, s.Least), s.Largest)
	return f
}

// swift is a flow; its window is in packets.
type swift struct {
	spec        *Swift
	packet      float64
	window      float64
	rtt         float64 // smoothed by 1/8, as in RFC 6298
	target      float64 // without flow scaling
	alpha, beta float64
	decreased   float64 // time of the last decrease
	measured    bool    // rtt is a measurement
	timeouts    int     // in a row
}

// goal is the target delay: section 3.5, flow-based scaling.
func (f *swift) goal() float64 {
	if f.spec.Range == 0 {
		return f.target
	}
	return f.target + max(0, min(f.alpha/math.Sqrt(f.window)+f.beta, ns(f.spec.Range)))
}

// mayDecrease: at most once per round trip.
func (f *swift) mayDecrease(now float64) bool { return now-f.decreased >= f.rtt }

// Allow implements Control.
func (f *swift) Allow(float64) (window, rate float64) {
	if f.window < 1 {
		return f.packet, f.window * f.packet / f.rtt
	}
	return f.window * f.packet, unlimited
}

// Sent implements Control.
func (f *swift) Sent(float64, float64) {}

// Acked implements Control: algorithm 1, on receiving an acknowledgement.
func (f *swift) Acked(a *Ack) {
	f.timeouts = 0
	if a.RTT == 0 {
		return
	}
	can := f.mayDecrease(a.Now)
	if f.measured {
		f.rtt += (a.RTT - f.rtt) / 8
	} else {
		f.rtt, f.measured = a.RTT, true
	}
	switch goal := f.goal(); {
	case a.RTT < goal && f.window >= 1:
		f.set(a.Now, f.window+f.spec.Increase/f.window*a.Bytes/f.packet)
	case a.RTT < goal:
		f.set(a.Now, f.window+f.spec.Increase*a.Bytes/f.packet)
	case can:
		f.set(a.Now, f.window*max(1-f.spec.Beta*(a.RTT-goal)/a.RTT, 1-f.spec.Most))
	}
}

// Lost implements Control: algorithm 1, on a retransmit timeout and on fast recovery.
func (f *swift) Lost(l *Loss) {
	if l.Timeout {
		if f.timeouts++; f.timeouts >= f.spec.Resets {
			f.set(l.Now, f.spec.Least)
			return
		}
	} else {
		f.timeouts = 0
	}
	if f.mayDecrease(l.Now) {
		f.set(l.Now, f.window*(1-f.spec.Most))
	}
}

func (f *swift) set(now, window float64) {
	window = min(max(window, f.spec.Least), f.spec.Largest)
	if window < f.window {
		f.decreased = now
	}
	f.window = window
}
