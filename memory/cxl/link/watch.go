package link

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// Watch adds the bytes of a direction's flits to a time series, over their time on the wire. *at may
// be nil until an observer needs it.
func (l *Link) Watch(d flit.Direction, at **stats.TimeSeries) { l.half[d].wire = at }

// Peak returns the bytes of flits per ns of a direction.
func (l *Link) Peak() float64 { return float64(l.cfg.Mode.Bytes()) / l.cfg.FlitTime() * 1000 }

// watched adds a flit that departs free + at/den.
func (l *Link) watched(h *half, free, at int64) {
	if *h.wire == nil {
		return
	}
	begin := (float64(free) + float64(at)/float64(l.den)) / 1000
	(*h.wire).Add(float64(l.cfg.Mode.Bytes()), begin, begin+l.cfg.FlitTime()/1000)
}
