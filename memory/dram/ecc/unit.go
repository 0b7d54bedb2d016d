package ecc

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A Unit is the error correction of a channel.
type Unit struct {
	Lines   *Lines // nil: check bits have pins of their own
	Pending *Pending
	Walker  *Walker
	Every   int64 // clocks between two bursts of the scrubber; 0: it reads none
	Due     int64 // clock of the next
}

// New makes the error correction of a channel with so many rows in a bank, whose scrubber reads a burst in scrub clocks; nil
// without ECC. The error is one of impossible values, or of a grade without pins for check bits.
func New(s Setting, scrub int64, g *standard.Grade, rows int) (*Unit, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	o := g.Organisation
	switch row := int64(g.Timing["RC"]); {
	case !s.On() && scrub != 0:
		return nil, fmt.Errorf("scrub goes with check bits (want a kind other than none)")
	case !s.On():
		return nil, nil
	case s.Kind == "side_band" && g.Check == 0:
		return nil, fmt.Errorf("%s has no pins for check bits (want inline)", g.Name)
	case scrub < 0 || scrub > 0 && scrub <= row:
		return nil, fmt.Errorf("a burst of the scrubber every %d clocks (want more than a row cycle, %d)", scrub, row)
	}
	at := Geometry{Banks: o.Ranks * o.Groups * o.Banks, Rows: rows, Columns: o.Columns / o.Beats}
	u := &Unit{Walker: NewWalker(at), Every: scrub, Due: math.MaxInt64}
	if scrub > 0 {
		u.Due = scrub - 1 // clocks count from 0, as of refreshes
	}
	if s.Kind == "inline" {
		if at.Columns%Data != 0 {
			return nil, fmt.Errorf("%s has %d bursts in a row (want a multiple of %d)", g.Name, at.Columns, Data)
		}
		u.Lines, u.Pending = NewLines(at, s.Cache), NewPending()
	}
	return u, nil
}
