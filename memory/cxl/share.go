package cxl

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A share is a logical device's part of the device's time: while several have
// lines waiting, each gets lines in proportion to its weight (start-time fair
// queueing), and none more than its limit.
//
// Source: CXL 3.1, section 3.3.4.1: a fraction of the bandwidth is allocated to each
// LD when the MLD is overloaded; else an LD may use more, up to a limit that is a
// fraction of the sustained bandwidth. assumption: the arbiter itself is ours, and
// the fractions are not rounded to 1/256.
type share struct {
	part    float64 // of the device, under overload
	step    uint64  // virtual time of a line: inverse of part
	tag     uint64  // virtual time at which its next line is due
	limited bool
	limit   memory.Serializer // clock: ps
}

// shares settles the parts of a device's logical devices. Those without an
// allocation of their own share what is left.
func (d *Type3) shares() error {
	var errs configs.Errors
	sum, rest := 0., 0
	for _, x := range d.lds {
		if sum += x.spec.Min; x.spec.Min == 0 {
			rest++
		}
	}
	if sum > 1+1e-9 {
		errs.Add(d.at.Get("lds").Errorf(nil, "the allocated shares of the logical devices are %g of the device", sum))
		return errs.Err()
	}
	_, peak := d.inner.Nominal()
	for i, x := range d.lds {
		x.part = x.spec.Min
		if x.part == 0 {
			x.part = math.Max(1-sum, 0) / float64(rest)
		}
		x.step = uint64(1e4 / math.Max(x.part, 1e-6)) // with nothing left: only while others have nothing
		m := x.spec.Max
		if m == 0 {
			continue
		}
		at := item(d.at, "lds", i)
		switch {
		case peak == 0:
			errs.Add(at.Get("max").Errorf(nil, "has no effect: the memory of %s has no limit that it could be a share of", d.Name()))
		case m < x.spec.Min:
			errs.Add(at.Get("max").Errorf(nil, "%g is less than the allocated share, %g", m, x.spec.Min))
		default:
			x.limited = true
			x.limit = memory.NewSerializer(units.Bandwidth(math.Round(m*float64(peak))), fine)
		}
	}
	return errs.Err()
}

// next picks the logical device whose line is to go to the memory at t: nil if none
// may. It also tells when one may that has reached its limit.
func (d *Type3) next(t int64) (best *logical, later int64) {
	later = link.Never
	for _, x := range d.lds {
		switch {
		case x.queue.n == 0:
			continue
		case x.limited && int64(x.limit.Free()) > t:
			later = min(later, int64(x.limit.Free()))
			continue
		}
		if best == nil || max(x.tag, d.virtual) < max(best.tag, d.virtual) {
			best = x
		}
	}
	return best, later
}

// served notes that a line of x went to the memory at t.
func (d *Type3) served(x *logical, t int64) {
	d.virtual = max(d.virtual, x.tag)
	x.tag = d.virtual + x.step
	if x.limited {
		x.limit.Transfer(uint64(t), 64)
	}
}

// ldCount is in lines and picoseconds; index 1 is writes.
type ldCount struct {
	lines   [2]uint64
	done    [2]uint64
	latency [2]uint64 // of lines that are done, from the host's port and back
}

// newStats of a logical device, if it is one of several.
func (x *logical) newStats() {
	c, g := &x.count, x.device.stats
	what := fmt.Sprintf("ld%d_", x.id)
	for k, name := range []string{"read", "write"} {
		g.Count(what+"line_"+name+"s", stats.Request, fmt.Sprintf("Lines that LD %d gave to the memory inside, %ss.", x.id, name), &c.lines[k])
	}
	for k, name := range []string{"load", "store"} {
		g.Value(what+name+"_latency_mean", stats.NS, fmt.Sprintf("Mean time of a line of LD %d from the port of its host and back, %ss.", x.id, name), func() (float64, bool) {
			return float64(c.latency[k]) / float64(max(c.done[k], 1)) / 1000, c.done[k] > 0
		})
	}
}
