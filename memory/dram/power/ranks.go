package power

import (
	"math"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A State is what a rank does.
type State uint8

// The states.
const (
	Awake       State = iota
	ActiveDown        // power-down with rows open
	Down              // power-down without
	SlowDown          // the same with the DLL off
	SelfRefresh       // the chip refreshes itself
	States            // number of states
)

// Ranks follows the states of the ranks of a channel.
type Ranks struct {
	rule  Rule
	ranks []rank
	waits [standard.Commands][]wait // of commands that change the state
	ends  [standard.Commands]int64  // clocks for which the chip is busy after a command
}

// A rank is what is known of one.
type rank struct {
	state State
	from  int64 // clock from which the state counts
	used  int64 // clock of the last access
	last  [standard.Commands]int64
}

// A wait is clocks after a command to the rank.
type wait struct {
	prev   standard.Command
	clocks int64
}

// long ago, before the first command.
const never = math.MinInt64 / 2

// New makes ranks that are awake and had their last access at clock 0. The error is that of Rule.Check.
func New(g *standard.Grade, rule Rule, ranks int) (*Ranks, error) {
	if err := rule.Check(g); err != nil {
		return nil, err
	}
	p := &Ranks{rule: rule, ranks: make([]rank, ranks)}
	for i := range p.ranks {
		for c := range p.ranks[i].last {
			p.ranks[i].last[c] = never
		}
	}
	for _, c := range g.Scheduled() {
		for _, next := range c.Next {
			for _, prev := range c.Prev {
				if next.IsState() {
					p.waits[next] = append(p.waits[next], wait{prev, int64(c.Clocks)})
				}
			}
		}
	}
	for c := range p.ends {
		p.ends[c] = int64(g.Actions[c].Busy.Clocks)
	}
	return p, nil
}

// Asleep reports whether a rank rests.
func (p *Ranks) Asleep(i int) bool { return p.ranks[i].state != Awake }

// Due reports whether a rank has been without accesses for so long that it is to refresh itself.
func (p *Ranks) Due(i int, now int64) bool {
	return p.rule.SelfRefresh > 0 && now >= p.ranks[i].used+p.rule.SelfRefresh
}

// Note notes a command to a rank.
func (p *Ranks) Note(c standard.Command, i int, at int64) {
	r := &p.ranks[i]
	r.last[c] = at
	if c.IsColumn() {
		r.used = at
	}
}

// Ready is the first clock at which a command that changes the state may go to a rank.
func (p *Ranks) Ready(c standard.Command, i int) int64 {
	at := int64(0)
	for _, w := range p.waits[c] {
		at = max(at, p.ranks[i].last[w.prev]+w.clocks)
	}
	return at
}

// Next returns the command by which a rank rests or wakes, or PREA where its rows have to be closed
// for that, and the first clock for it; of PREA the constraints are left to the caller. work: bursts
// or refreshes wait for the rank; open: it has open rows. ok is false if the rank stays as it is.
func (p *Ranks) Next(i int, work, open bool, now int64) (c standard.Command, at int64, ok bool) {
	r := &p.ranks[i]
	rest := int64(math.MaxInt64)
	if p.rule.SelfRefresh > 0 {
		rest = r.used + p.rule.SelfRefresh
	}
	switch {
	case r.state == SelfRefresh:
		c, at, ok = standard.SRX, now, work
	case r.state != Awake:
		if !work {
			now = max(now, rest)
		}
		c, at, ok = r.exit(), now, work || p.rule.SelfRefresh > 0
	case !work:
		c, at, ok = p.down(r, rest, open, now)
	}
	if ok && c != standard.PREA {
		at = max(at, p.Ready(c, i))
	}
	return c, at, ok
}

// exit is the command that ends a power-down.
func (r *rank) exit() standard.Command {
	if r.state == SlowDown {
		return standard.PDXS
	}
	return standard.PDX
}

// down is the command by which a rank without work goes to self-refresh at clock rest, or to power-down before.
func (p *Ranks) down(r *rank, rest int64, open bool, now int64) (standard.Command, int64, bool) {
	down := int64(math.MaxInt64)
	if p.rule.After > 0 {
		down = r.used + p.rule.After
	}
	c, at := standard.PDE, down
	if max(now, down) >= rest {
		c, at = standard.SRE, rest
	}
	if open && (c == standard.SRE || p.rule.Close) {
		c = standard.PREA
	}
	return c, max(at, now), at < math.MaxInt64
}

// Rest notes that a command takes a rank to power-down or self-refresh, and returns the clock from which the state counts:
// what the chip did before has ended by then. A self-refresh begins with a refresh.
func (p *Ranks) Rest(c standard.Command, i int, at int64, open bool) (from int64) {
	r := &p.ranks[i]
	switch {
	case c == standard.SRE:
		r.state = SelfRefresh
	case open:
		r.state = ActiveDown
	case p.rule.Slow:
		r.state = SlowDown
	default:
		r.state = Down
	}
	from = at
	for c, n := range p.ends {
		if n > 0 {
			from = max(from, r.last[c]+n)
		}
	}
	r.from = from
	return from
}

// Wake notes that a rank wakes.
func (p *Ranks) Wake(i int) { p.ranks[i].state = Awake }

// Until returns the state of a rank, and the clock, not after at, since which it was not counted. next is
// the clock from which it will not have been counted then.
func (p *Ranks) Until(i int, at int64) (s State, from, next int64) {
	r := &p.ranks[i]
	s, from, next = r.state, min(r.from, at), max(r.from, at)
	r.from = next
	return s, from, next
}
