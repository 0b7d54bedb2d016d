package traffic

import (
	"math"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/noc/peers/booksim"
)

// A window decides what is measured and when the measurement ends. The node reports every cycle
// and every packet to it.
type window struct {
	tally
	rules     Rules
	terminals int
	patient   bool // goes on after saturation, for the accepted load

	begun     int64 // cycle of the first sample
	next      int64 // cycle in which the sample ends
	series    booksim.Series
	wait      booksim.Drain
	saturated bool
	start     int64 // cycle in which the warm-up ended
	end       int64 // cycle in which the last sample ended; far until then
	drained   bool  // or given up
	over      int64 // cycle in which it was
	accepted  float64

	// under way
	flits     int64 // that were created and have not come
	created   int64 // sum of their cycles of creation
	behind    int64 // packets created before end that have not come
	ejected   uint64
	ejectedBy []uint64  // flits by source
	shares    []*window // what parts of the network have counted since join
	shared    bool      // a share
	came      []trace   // of a share: what is to be added to ejectedBy, which others use at the same time
}

const far = math.MaxInt64

// A trace is the source of a packet that came, and its flits.
type trace struct{ src, flits int32 }

// tally sums the measurements between two clearings.
type tally struct {
	packets, hops, latency, net uint64
	trips, trip                 uint64 // answers, and the time from the packet to its answer
	latest                      int64  // cycle in which the last of packets came
	since                       int64  // cycle of the clearing
	before                      uint64 // flits that had come then
	histogram                   stats.Histogram
}

// begin starts a measurement in a cycle, with nothing under way.
func (w *window) begin(now int64, rules Rules, terminals int, patient bool) {
	by := w.ejectedBy
	h, shares := w.histogram, w.shares
	*w = window{rules: rules, terminals: terminals, patient: patient, begun: now, end: far, ejectedBy: by, shares: shares}
	w.histogram = h
	if w.ejectedBy == nil {
		w.ejectedBy = make([]uint64, terminals)
	}
	w.wait.Rules = booksim.Rules{Limit: rules.Limit}
	w.series.Rules = booksim.Rules{Sample: rules.Sample, Warmup: rules.Warmup, Samples: rules.Samples, Change: rules.Change, Limit: rules.Limit}
	w.startSample(now)
}

func (w *window) startSample(now int64) {
	if w.series.Begin() {
		w.packets, w.hops, w.latency, w.net, w.trips, w.trip = 0, 0, 0, 0, 0, 0
		w.since, w.before = now, w.ejected
		w.histogram.Reset()
		for _, s := range w.shares {
			s.histogram.Reset()
		}
		clear(w.ejectedBy)
	}
	w.next = now + int64(w.rules.Sample)
}

// send notes a packet that is created.
func (w *window) send(flits int32, created int64) {
	w.flits += int64(flits)
	w.created += int64(flits) * created
	if created < w.end {
		w.behind++
	}
}

// A trip is a packet that has come. Taken is the cycle in which the network took it, the
// cycle in which it got to the front of its source's queue.
type trip struct {
	src, flits               int32
	hops                     int
	created                  int64
	taken, injected, arrived int64
	reply                    bool
	born                     int64 // of a reply: creation of the packet that it answers
}

// come notes a packet that has come.
func (w *window) come(p *trip) {
	w.flits -= int64(p.flits)
	w.created -= int64(p.flits) * p.created
	w.ejected += uint64(p.flits)
	if p.created < w.end {
		w.behind--
	}
	if w.end == far {
		if w.shared {
			w.came = append(w.came, trace{p.src, p.flits})
		} else {
			w.ejectedBy[p.src] += uint64(p.flits)
		}
	}
	switch {
	case !w.series.Measuring:
	case w.rules.Count == "arrived":
		if w.end != far {
			return
		}
	case p.taken < w.start || p.created >= w.end:
		return
	}
	latency := uint64(p.arrived - p.created)
	w.packets++
	w.latest = max(w.latest, p.arrived)
	w.hops += uint64(p.hops)
	w.latency += latency
	w.net += uint64(p.arrived - p.injected)
	if p.reply {
		w.trips++
		w.trip += uint64(p.arrived - p.born)
	}
	if w.series.Measuring {
		w.histogram.Add(latency)
	}
}

func (w *window) mean() float64 { return float64(w.latency) / float64(w.packets) }

// withWaiting is the mean latency if all that is under way came now.
func (w *window) withWaiting(now int64) float64 {
	return (float64(w.latency) + float64(w.flits)*float64(now) - float64(w.created)) / float64(int64(w.packets)+w.flits)
}

// cycle is called once per cycle, after all that has come in the one before, and
// before anything is created in this one. It reports whether the measurement is
// over.
func (w *window) cycle(now int64, due []int64) (over bool) {
	if w.end != far {
		return w.drain(now, due)
	}
	if now < w.next {
		return false
	}
	accepted := float64(w.ejected-w.before) / float64(now-w.since) / float64(w.terminals)
	if w.rules.Limit > 0 && !w.saturated && w.withWaiting(now) > w.rules.Limit {
		w.saturated = true
		if !w.patient {
			w.accepted, w.end = accepted, now
			return w.stop(now)
		}
	}
	w.accepted = accepted
	warm := w.series.Measuring
	more := w.series.End(w.mean(), accepted, w.rules.Limit > 0 && !w.saturated)
	if !warm && w.series.Measuring {
		w.start = now
	}
	if more {
		w.startSample(now)
		return false
	}
	w.end = now
	if w.saturated || w.rules.Count == "arrived" {
		return w.stop(now)
	}
	return false // one more cycle at least, as BookSim has it
}

// drain waits for the packets that were created while measuring. Those that were
// due before the end and have not left yet are among them.
func (w *window) drain(now int64, due []int64) bool {
	over, saturated := w.wait.Cycle(w.behind > 0 || booksim.Behind(due, w.end), func() float64 { return w.withWaiting(now) })
	if !over {
		return false
	}
	w.saturated = w.saturated || saturated
	return w.stop(now)
}

func (w *window) stop(now int64) bool {
	w.drained, w.over = true, now
	return true
}

// short reports whether less is accepted than is offered: by more than 2 % and three
// standard deviations of what terminals have created. Close to saturation latency
// takes long to exceed its limit.
func (w *window) short(load, scatter float64) bool {
	active := float64(w.active())
	cycles := float64(w.end - w.since)
	deviation := math.Sqrt(load * scatter / (cycles * active))
	return active > 0 && w.perActive() < .98*load-3*deviation
}

// active is the terminals that send; those that never do count for nothing.
func (w *window) active() (n int) {
	for _, flits := range w.ejectedBy {
		if flits > 0 {
			n++
		}
	}
	return n
}

// perActive is the flits that are accepted per cycle and terminal that sends.
func (w *window) perActive() float64 {
	return w.accepted * float64(w.terminals) / float64(max(1, w.active()))
}
