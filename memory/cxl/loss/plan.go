// Package loss removes links from a network of memory/cxl/transit during a run, and fills the
// routing tables again. A Plan is the network's Interruption before all other events of a time.
// Times are picoseconds.
//
//	p := loss.Plan{Network: n, Refill: refill}
//	p.Lose(hop, at)     // a link is lost
//	p.FillAgain(detect) // tables without it are in force
//	n.Before = &p
//
// Messages in a lost link, before it, or arriving later are lost, and their buffers elsewhere are
// freed. Left out: links that recover. An error of Refill ends the run.
package loss

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A Plan is the losses and refills to come, by time.
type Plan struct {
	Network *transit.Network
	// Refill fills the tables again at t, without the lost hops.
	Refill  func(t int64) error
	changes []change // in order of time, those of a time as they were planned
}

// A change is the loss of a link, or a refill of the tables.
type change struct {
	at  int64
	hop *transit.Hop // that is lost; nil: tables are filled again
}

// Lose plans the loss of a hop.
func (p *Plan) Lose(h *transit.Hop, at int64) { p.add(change{at, h}) }

// FillAgain plans a call of Refill.
func (p *Plan) FillAgain(at int64) { p.add(change{at, nil}) }

func (p *Plan) add(x change) {
	p.changes = append(p.changes, x)
	slices.SortStableFunc(p.changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
}

// Pending reports whether the loss of a hop is to come.
func (p *Plan) Pending(h *transit.Hop) bool {
	return slices.ContainsFunc(p.changes, func(x change) bool { return x.hop == h })
}

// Len returns the changes to come.
func (p *Plan) Len() int { return len(p.changes) }

// Next implements transit.Interruption.
func (p *Plan) Next() int64 {
	if len(p.changes) == 0 {
		return link.Never
	}
	return p.changes[0].at
}

// Happen implements transit.Interruption: it carries out the first change.
func (p *Plan) Happen(int64) error {
	x := p.changes[0]
	p.changes = p.changes[1:]
	if x.hop == nil {
		return p.Refill(x.at)
	}
	p.Network.Lose(x.hop, x.at)
	return nil
}
