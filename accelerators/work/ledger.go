package work

import "github.com/causeway-sim/causeway/workloads/schedule"

// A Ledger keeps what periods of each signature counted, for a Sampler to compare the next
// one with.
type Ledger struct {
	meter  Meter
	first  map[uint64][2]Mark // first period of the first run of a signature; last one of those that return
	before [2]Mark            // of the period that ended last
}

// NewLedger is a Ledger without periods.
func NewLedger(m Meter) *Ledger { return &Ledger{meter: m, first: map[uint64][2]Mark{}} }

// Compare fills in how a period of that signature, between two marks, differs from the one
// before, or where that was not alike from the first of an earlier run, and what nodes keep.
func (l *Ledger) Compare(p *schedule.Period, alike bool, of [2]Mark) {
	if of[0].Counts == nil { // what came before the run is no mark
		return
	}
	switch first, known := l.first[p.Signature]; {
	case alike && l.before[0].Counts != nil:
		p.Difference = l.meter.Differ(l.before, of)
	case !alike && known:
		p.Difference = l.meter.Differ(first, of)
	case !alike:
		l.first[p.Signature] = of
	}
	l.before = of
	p.Stores = l.meter.Stores(of)
}

// Return is Compare for periods that are no part of a sequence: with the last of its signature.
func (l *Ledger) Return(p *schedule.Period, of [2]Mark) {
	if last, known := l.first[p.Signature]; known {
		p.Difference = l.meter.Differ(last, of)
	}
	l.first[p.Signature] = of
	p.Stores = l.meter.Stores(of)
}
