// Package inclusion is what a cache does for the caches above it and below it that hold all or none of its
// lines: accesses by the rule of the lower cache, lines that are recalled from above, and changes that come
// up with a line.
//
// It knows no time. The lower cache sends what Recalls holds; the upper one carries it out with Drop.
package inclusion

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/line"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// A State is the part of one cache in inclusion.
type State struct {
	Inclusive, Exclusive bool // the rule of this cache

	Above                 bool // a cache has this one below
	Below, BelowExclusive bool // the rule of a cache below, at any of its addresses

	Counts
	Recalls ring.Of[Recall] // to be sent

	core   *tagstore.Store
	uppers []sim.Port // caches above that keep lines, in the order of their first request
}

// Counts are the totals of a State.
type Counts struct {
	Recalled        uint64 // lines that caches above were told to drop
	Lost, LostDirty uint64 // lines that a cache below has taken back
	MovedUp         uint64 // hits that took the line to the cache above
	Victims, Clean  uint64 // lines that caches above gave up, and those of them without changes
}

// A Recall is a line that a cache above is to drop.
type Recall struct {
	Line uint64
	Dst  sim.Port
}

// Start makes the state of a cache with that rule.
func Start(rule string, core *tagstore.Store) State {
	s := State{Inclusive: rule == "inclusive", Exclusive: rule == "exclusive", core: core}
	if s.Inclusive {
		core.Share()
	}
	return s
}

// Applies reports whether requests of caches above are treated apart.
func (s *State) Applies() bool { return s.Inclusive || s.Exclusive }

// upper is the bit of the cache that a request comes from; the last bit is shared.
func (s *State) upper(from sim.Port) uint64 {
	for i, p := range s.uppers {
		if p == from {
			return 1 << min(i, 63)
		}
	}
	s.uppers = append(s.uppers, from)
	return 1 << min(len(s.uppers)-1, 63)
}

// An Outcome is what an access did.
type Outcome struct {
	tagstore.Result
	Counted bool // it is one that metrics count as such
	Drop    bool // the cache above must not keep the line, which is not here
}

// Access is an access to a line by the rule of the cache, for a request with a hint.
func (s *State) Access(t *tagstore.Touch, h *memory.Hint, from sim.Port) Outcome {
	switch {
	case s.Exclusive && h.Victim != memory.NoVictim:
		s.Victims++
		if h.Victim == memory.CleanVictim {
			s.Clean++
		}
		return Outcome{Result: s.core.Insert(t, h.Victim != memory.CleanVictim)}
	case s.Exclusive && h.Keeps && !t.Write:
		res, dirty := s.core.MoveToUpper(t)
		if res.Hit {
			s.MovedUp++
			h.Dirty = h.Dirty || dirty
		}
		return Outcome{Result: res, Counted: true}
	case s.Inclusive && h.Victim == memory.RecalledDirty:
		t.NoFill = true
	}
	o := Outcome{Result: s.core.Apply(t), Counted: true}
	if !s.Inclusive {
		return o
	}
	s.Recall(o.Victim, o.Sharers)
	switch {
	case h.Keeps && o.Way == policy.Bypass:
		o.Drop = true
	case h.Keeps:
		*s.core.Sharers(o.Set, o.Way) |= s.upper(from)
	case h.Victim != memory.NoVictim && o.Way != policy.Bypass:
		*s.core.Sharers(o.Set, o.Way) &^= s.upper(from)
	}
	return o
}

// Recall takes a line back from the caches above that hold it.
func (s *State) Recall(line, sharers uint64) {
	if sharers == 0 {
		return
	}
	for i, p := range s.uppers {
		if sharers>>min(i, 63)&1 != 0 {
			s.RecallFrom(line, p)
		}
	}
}

// RecallFrom takes a line back from one cache above.
func (s *State) RecallFrom(line uint64, p sim.Port) {
	s.Recalls.Push(Recall{line, p})
	s.Recalled++
}

// Send sends the recalls that the wire takes.
func (s *State) Send(port *engine.Port, l line.Layout, now sim.VTimeInSec) error {
	for s.Recalls.Len() > 0 && port.CanSend() {
		q := s.Recalls.Pop()
		m := &memory.Recall{Addr: l.Start(q.Line), Bytes: l.Bytes()}
		m.Src, m.Dst, m.SendTime = port, q.Dst, now
		if port.Send(m) != nil {
			return fmt.Errorf("cache: %s: the wire refused a message after it had room", port.Component().Name())
		}
	}
	return nil
}

// Drop gives up a line that a cache below takes back, and reports whether it has to be written there.
func (s *State) Drop(line uint64) (dirty bool) {
	sharers := s.core.SharersOf(line)
	present, dirty := s.core.Invalidate(line)
	if present {
		s.Lost++
		s.Recall(line, sharers)
	}
	if dirty {
		s.LostDirty++
	}
	return dirty
}

// CameDirty notes that a line came from an exclusive cache below with changes that memory lacks, for a
// request with that hint or for none. It reports whether they are kept here or above; else the line has
// gone again, and is to be written below.
func (s *State) CameDirty(line uint64, h *memory.Hint) bool {
	if s.Exclusive && h != nil && h.Keeps {
		h.Dirty = true // the cache above keeps the line, this one nothing of it
		return true
	}
	return s.core.Soil(line)
}

// WriteBack reports whether what an access evicted goes below, and as what.
func (s *State) WriteBack(res *tagstore.Result) (as memory.Victim, needed bool) {
	switch {
	case res.Stale != 0 && s.Below:
		return memory.DirtyVictim, true
	case res.Stale != 0:
		return memory.NoVictim, true
	case res.Evicted && s.BelowExclusive:
		return memory.CleanVictim, true
	}
	return memory.NoVictim, false
}
