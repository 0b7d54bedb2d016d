package congestion

import (
	"math"

	"github.com/causeway-sim/causeway/components/units"
)

// DCQCN is the parameters of dcqcn.
type DCQCN struct {
	Interval units.Time      `yaml:"cnp_interval" doc:"Least time between two congestion notification packets of a flow (N)"`
	Gain     float64         `yaml:"gain" doc:"Weight of a notification in alpha, the estimate of congestion (g)"`
	Decay    units.Time      `yaml:"alpha_timer" doc:"Time without a notification after which alpha decays (K)"`
	Timer    units.Time      `yaml:"timer" doc:"Time between two increases of the rate (T)"`
	Counter  units.Bytes     `yaml:"byte_counter" doc:"Bytes between two increases of the rate (B)"`
	Fast     int             `yaml:"fast_steps" jsonschema:"minimum=0,maximum=1000" doc:"Increases towards the rate before the cut, after a cut (F)"`
	Additive units.Bandwidth `yaml:"additive" doc:"Additive increase of the target rate (R_AI)"`
	Hyper    units.Bandwidth `yaml:"hyper" doc:"Hyper increase of the target rate (R_HAI)"`
	Monitor  units.Time      `yaml:"monitor" doc:"Interval at which a network card looks whether notifications have come, and cuts only then; 0ns: it cuts when one arrives, as in the paper"`
	Least    units.Bandwidth `yaml:"min_rate" doc:"Least rate of a flow"`
}

// defaultDCQCN has the values of the paper's section 5.2 and figure 14. It gives none for R_HAI and
// the least rate.
//
// assumption: R_HAI is ten times R_AI, and the least rate is 100 Mbit/s.
var defaultDCQCN = DCQCN{
	Interval: 50 * units.Microsecond, Gain: 1.0 / 256, Decay: 55 * units.Microsecond, Timer: 55 * units.Microsecond,
	Counter: 10_000_000, Fast: 5, Additive: 40_000_000, Hyper: 400_000_000, Least: 100_000_000,
}

func init() {
	add("dcqcn", "Rate-based: marks make receivers send notifications, which cut the rate of the sender; timer and byte counter raise it.",
		"Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, sections 3 and 5", defaultDCQCN, newDCQCN)
}

func newDCQCN(s DCQCN) (Algorithm, error) {
	var c checks
	c.positive("cnp_interval", s.Interval == 0, s.Interval)
	c.positive("alpha_timer", s.Decay == 0, s.Decay)
	c.positive("timer", s.Timer == 0, s.Timer)
	c.positive("byte_counter", s.Counter == 0, s.Counter)
	c.positive("min_rate", s.Least == 0, s.Least)
	c.between("gain", s.Gain, 0, 1)
	c.between("fast_steps", float64(s.Fast), 0, 1000)
	return &s, c.err()
}

// Needs implements Algorithm.
func (s *DCQCN) Needs() Needs { return Needs{Marks: true, Notify: ns(s.Interval)} }

// Start implements Algorithm: a flow begins at the rate of its channel (section 3.3).
func (s *DCQCN) Start(p Path) Control {
	return &dcqcn{spec: s, line: p.Rate, current: p.Rate, target: p.Rate, alpha: 1}
}

// dcqcn is the reaction point of a flow.
type dcqcn struct {
	spec            *DCQCN
	line            float64
	current, target float64 // R_C, R_T
	alpha           float64
	cut             bool    // a notification has arrived
	decayed, raised float64 // last events of the two timers
	looked          float64 // last look of a card with a monitor
	toAlpha, toRate bool    // notifications since the last event of alpha, and since the last look
	steps, counts   int     // T and BC: increases by timer and by bytes since the last cut
	bytes           float64 // since the last event of the byte counter
}

// Notify implements Notified: equation 1.
func (f *dcqcn) Notify(now float64) {
	f.expire(now)
	if f.spec.Monitor > 0 {
		if f.cut {
			f.toAlpha, f.toRate = true, true
			return
		}
		f.cut, f.alpha, f.toRate = true, 1, true
		f.decayed, f.looked, f.raised = now, now, math.Inf(1)
		return
	}
	f.target = f.current
	f.current = max(f.current*(1-f.alpha/2), rate(f.spec.Least))
	f.alpha = (1-f.spec.Gain)*f.alpha + f.spec.Gain
	f.cut, f.decayed, f.raised = true, now, now
	f.steps, f.counts, f.bytes = 0, 0, 0
}

// expire carries out the events of both timers up to now.
func (f *dcqcn) expire(now float64) {
	if !f.cut {
		return
	}
	if f.spec.Monitor > 0 {
		f.look(now)
		return
	}
	if n := math.Floor((now - f.decayed) / ns(f.spec.Decay)); n > 0 {
		f.alpha *= math.Pow(1-f.spec.Gain, n) // equation 2
		f.decayed += n * ns(f.spec.Decay)
	}
	for t := ns(f.spec.Timer); now-f.raised >= t; f.raised += t {
		if f.current >= f.line { // no event changes it until the next cut
			f.raised += math.Floor((now-f.raised)/t) * t
			return
		}
		f.steps++
		f.raise()
	}
}

// look carries out the events of a card's three timers up to now, in order: alpha, then the cut, then the
// increase.
func (f *dcqcn) look(now float64) {
	decay, monitor, timer := ns(f.spec.Decay), ns(f.spec.Monitor), ns(f.spec.Timer)
	for {
		a, c, r := f.decayed+decay, f.looked+monitor, f.raised+timer
		switch first := min(a, c, r); {
		case first > now:
			return
		case a == first:
			f.decayed = a
			f.alpha *= 1 - f.spec.Gain
			if f.toAlpha {
				f.alpha += f.spec.Gain
			}
			f.toAlpha = false
		case c == first:
			f.looked = c
			if f.toRate {
				f.target = f.current
				f.current = max(f.current*(1-f.alpha/2), rate(f.spec.Least))
				f.toRate, f.raised, f.steps, f.counts, f.bytes = false, c, 0, 0, 0
			}
		default:
			f.raised = r
			f.steps++
			f.raise()
		}
	}
}

// raise is equations 3 and 4, and the hyper increase of QCN.
func (f *dcqcn) raise() {
	if f.current >= f.line {
		return
	}
	switch fast := f.spec.Fast; {
	case max(f.steps, f.counts) <= fast:
	case min(f.steps, f.counts) > fast:
		f.target += float64(min(f.steps, f.counts)-fast) * rate(f.spec.Hyper)
	default:
		f.target += rate(f.spec.Additive)
	}
	f.target = min(f.target, f.line)
	f.current = min((f.target+f.current)/2, f.line)
}

// Allow implements Control.
func (f *dcqcn) Allow(now float64) (window, rate float64) {
	f.expire(now)
	return unlimited, f.current
}

// Sent implements Control.
func (f *dcqcn) Sent(now, bytes float64) {
	if !f.cut {
		return
	}
	f.expire(now)
	if f.bytes += bytes; f.bytes >= float64(f.spec.Counter) {
		f.bytes = 0
		f.counts++
		f.raise()
	}
}

// Acked implements Control.
func (f *dcqcn) Acked(*Ack) {}

// Lost implements Control: the paper leaves losses to priority flow control.
func (f *dcqcn) Lost(*Loss) {}
