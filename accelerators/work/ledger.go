package work

import "github.com/causeway-sim/causeway/workloads/schedule"

// A Ledger keeps the counts of periods by signature, so that a Sampler can compare the next
// period.
type Ledger struct {
	meter  Meter
	first  map[uint64][2]Mark // first period of the first run of a signature; last one of those that return
	before [2]Mark            // of the period that ended last
}

// NewLedger returns an empty Ledger.
func NewLedger(m Meter) *Ledger { return &Ledger{meter: m, first: map[uint64][2]Mark{}} }

// Compare sets Difference and Stores of a period between two marks. It compares the period with
// the one before if that has the same signature (alike), else with the first of an earlier run of
// that signature.
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

// Return is like Compare for periods outside a sequence: it compares with the last period of that
// signature.
func (l *Ledger) Return(p *schedule.Period, of [2]Mark) {
	if last, known := l.first[p.Signature]; known {
		p.Difference = l.meter.Differ(last, of)
	}
	l.first[p.Signature] = of
	p.Stores = l.meter.Stores(of)
}
