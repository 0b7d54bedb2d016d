package dram

import (
	"errors"
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/ecc"
	"github.com/causeway-sim/causeway/memory/dram/latency"
	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/dram/timing"
)

// Never is later than every clock.
const Never = math.MaxInt64

// A Sink receives the acceptance and the end of bursts.
type Sink interface {
	// Accepted is called when a burst enters the queues. A posted write is complete then.
	Accepted(tag uint32, at int64)
	// Done is called when it is certain that the last beat of a burst passes at clock at, which
	// is in the future.
	Done(tag uint32, at int64)
}

// Counters counts the events of a channel.
type Counters struct {
	power.Counts
	Hits, Misses, Conflicts [2]uint64 // of reads, of writes
	Forwarded, Merged       uint64    // reads served by, and writes merged into, a waiting write
	Holds                   [timing.Holds]uint64
	Limits                  [timing.MaxLimits]uint64 // of Holds, by the limit of the grade
	Full                    uint64                   // clocks in which a burst found no room in the queues
	Preventive, Alerts      uint64                   // rows refreshed against row hammer, alerts of chips
	Delayed                 uint64                   // activations that a defence against row hammer delayed
	Own                     [owns]uint64             // bursts of the controller itself, which no request asked for
}

// spans are what latencies channels count, together.
type spans struct {
	// FromArrival and FromAccept are the latencies of reads, in clocks to the last
	// beat from the arrival at the front queue and from the entry into the queues.
	FromArrival, FromAccept latency.Histogram
	// Writes are the latencies of writes, in clocks from the arrival at the front queue to the
	// last beat; of those that a waiting write absorbed, to then.
	Writes latency.Histogram
	// Moved is the times of data on the pins, for an observer; Clock converts clocks to ns.
	Moved *stats.TimeSeries
	Clock clock.Clock
}

// moves records a burst of n channels whose last beat passes before clock end.
func (c *Controller) moves(end int64) {
	if c.Moved != nil {
		beats := int64(c.cfg.Grade.Timing["BL"])
		n := float64(c.cfg.Grade.Organisation.Burst()) * float64(c.channels)
		c.Moved.Add(n, c.Clock.Nanoseconds(uint64(max(0, end-beats))), c.Clock.Nanoseconds(uint64(end)))
	}
}

// A Controller schedules the bursts of one channel (one pseudo channel where there are some). It
// is pure: integers in clocks of the command bus, no events of its own. Push adds bursts, Run
// simulates to a clock, Next returns the next clock with work.
type Controller struct {
	Count Counters
	*spans
	// Trace, if set, is called with every command, in order of time.
	Trace func(at int64, cmd standard.Command, bank int, row, col uint32)

	cfg     Config
	timing  timing.Table
	sink    Sink
	tell    func(e *entry, at, done int64) // of column commands; nil: no observer
	banks   []bank
	entries []entry
	free    int16
	seq     uint64
	waiting [2]int    // entries, by kind
	room    [2]int    // how many there may be
	busy    [2]uint64 // banks with waiting entries, by kind
	opened  uint64    // banks with an open row
	hits    [2]uint64 // banks with waiting entries for the open row, by kind
	misses  [2]uint64 // banks with waiting entries for another row than the open one
	ages    [2]ages   // of what waits, by kind
	active  uint64    // banks whose row was opened for an entry that waits for its access
	// activeWrites is those of them whose entry is a write, promises the order of all
	activeWrites uint64
	promises     [timing.MaxBanks]uint64
	closing      uint64 // banks whose row is to be closed by policy
	writing      bool   // writes go first
	turning      bool   // they do from clock turns on, unless a burst comes by then
	turns        int64
	cap          int32 // accesses to a row, after which it is to be closed
	latency      int64 // from a read command to the end of the data

	writeLatency int64 // from a write command to the end of the data
	writesHeld   int   // writes that are accepted and not served

	ranks      []rank
	refreshing int   // ranks that want a refresh
	falls      int64 // earliest time of a refresh, or of the scrubber
	due        int64 // earliest time of these and of the next burst of the controller itself: see arrange

	passed   int64  // clock up to which open rows count as if none were
	channels uint32 // that it stands for: how often each latency counts
	unasked  bool   // the sink does not want to know when reads are accepted

	now    int64
	acted  int64 // clock of what was done last
	best   choice
	chosen bool // best is up to date
	stops  bool // the data clock runs for accesses only
	// pledged: the CAS of best has been issued, so best is next
	pledged bool
	front   frontQueue
	own     frontQueue // of bursts of the controller itself
	ledger  ledger
	guard   *guard       // nil: rows are not counted
	rest    *power.Ranks // nil: ranks never rest
	checks  *ecc.Unit    // nil: there is no ECC
	special bool         // ranks may rest, or rows may be delayed
	adjusts bool         // the data clock stops, or rows are counted: see adjust
}

// Observe calls f with every later command.
func (c *Controller) Observe(f func(buslog.Record)) {
	o := c.cfg.Grade.Organisation
	c.Trace = func(at int64, cmd standard.Command, bank int, row, col uint32) {
		f(buslog.NewRecord(&o, at, cmd, bank, row, col))
	}
}

// New makes a controller that reports to sink, or returns the error of Config.Check.
func New(cfg Config, sink Sink) (*Controller, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	o := cfg.Grade.Organisation
	c := &Controller{cfg: cfg, sink: sink, spans: &spans{}, channels: 1, timing: timing.New(cfg.Grade, cfg.usable()), room: [2]int{cfg.ReadQueue, cfg.WriteQueue}}
	c.latency, c.writeLatency = int64(cfg.Grade.Actions[standard.RD].Data.Clocks), int64(cfg.Grade.Actions[standard.WR].Data.Clocks)
	for i := range o.Ranks * o.Groups * o.Banks {
		b := bank{active: none, rank: int16(i / (o.Groups * o.Banks))}
		b.queue = [2]waiting{{none, none, none, none}, {none, none, none, none}}
		c.banks = append(c.banks, b)
	}
	switch cfg.Policy {
	case Closed:
		c.cap = 1
	case Capped:
		c.cap = int32(cfg.Cap)
	case Open, ClosedAP:
		c.cap = 1<<31 - 1
	}
	c.free = none
	c.entries = make([]entry, cfg.ReadQueue+cfg.WriteQueue+len(c.banks))
	for i := range c.entries {
		c.give(int16(i))
	}
	c.initRefresh()
	c.stops = cfg.Grade.WCK == standard.OnAccess
	var errs [3]error
	c.guard, errs[0] = newGuard(&c.cfg, cfg.Random)
	c.rest, errs[1] = newRest(&c.cfg)
	c.checks, errs[2] = newChecks(&c.cfg)
	c.special = c.rest != nil || c.guard != nil && c.guard.delayer != nil
	if c.guard != nil || c.checks != nil {
		c.sink = sieve{sink}
	}
	if c.checks != nil {
		c.falls = min(c.falls, c.checks.Due)
	}
	c.adjusts = c.stops || c.guard != nil
	c.arrange()
	return c, errors.Join(errs[:]...)
}

// Next returns the first clock at which something can happen if no burst arrives; Never if all
// bursts are served.
func (c *Controller) Next() int64 {
	if c.Idle() {
		return Never
	}
	return c.next()
}

// Horizon returns a clock before which, if no burst arrives, no Done falls that the Sink has not
// received.
func (c *Controller) Horizon() int64 { return c.horizonAt(c.Next()) }

// horizonAt is Horizon, given Next.
func (c *Controller) horizonAt(t int64) int64 {
	if t == Never || c.front.writes > 0 || c.front.covered > 0 {
		return t // acceptance itself may be an answer
	}
	return t + min(c.latency, c.writeLatency)
}

// Idle reports whether all bursts are served.
func (c *Controller) Idle() bool {
	return uint64(c.waiting[read]|c.waiting[write]|c.front.n|c.own.n)|c.active == 0
}

// Serve is like Run, but stops when all bursts are served: a later refresh is carried out with
// the next burst, or counted by Finish. It returns Next.
func (c *Controller) Serve(until int64) (next int64) {
	for !c.Idle() {
		t := c.next()
		if t > until {
			return t
		}
		c.step(t)
	}
	return Never
}

func (c *Controller) next() int64 {
	if !c.chosen {
		c.choose()
	}
	t := min(c.best.at, c.due)
	if c.front.n > 0 && !c.front.shut {
		t = min(t, c.front.try)
	}
	return t
}

// Run simulates up to and including clock until. A burst may be served in the clock of its
// acceptance.
func (c *Controller) Run(until int64) {
	for {
		t := c.next()
		if t > until {
			c.now = max(c.now, until)
			return
		}
		c.step(t)
	}
}

// step does the next thing, which is due at clock t.
func (c *Controller) step(t int64) {
	c.now, c.acted = t, t
	switch d := &c.front; {
	case c.due == t:
		c.attend(t)
	case d.try == t && d.n > 0 && !d.shut:
		c.admit(d, t)
	default:
		c.issue()
	}
}

// attend does what is due at clock t where refreshes, the scrubber or a burst of the controller itself are. Bursts go first.
func (c *Controller) attend(t int64) {
	switch d := &c.front; {
	case c.own.next() == t:
		c.admit(&c.own, t)
		c.arrange()
	case d.next() == t:
		c.admit(d, t)
	default:
		c.settle(t)
		c.turns = t
		c.demand(t)
	}
}

// arrange finds the next clock at which more than bursts of requests and commands is due.
func (c *Controller) arrange() { c.due = min(c.falls, c.own.next()) }

// Finish runs to clock at, the end of the run, and closes the counts of open rows.
func (c *Controller) Finish(at int64) {
	c.Run(at)
	c.open(at)
}

// open counts rows that are open up to clock at.
func (c *Controller) open(at int64) {
	for i := range c.ranks {
		if c.rest != nil && c.rest.Asleep(i) {
			c.countRest(i, at)
		} else {
			c.countOpen(i, at)
		}
	}
}

// String returns the state, for debugging.
func (c *Controller) String() string {
	return fmt.Sprintf("clock %d: %d reads, %d writes, %d in the front queue, next command %s at %d", c.now, c.waiting[read], c.waiting[write], c.front.n, c.best.cmd, c.best.at)
}
