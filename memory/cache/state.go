package cache

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/content"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
	"github.com/causeway-sim/causeway/memory/cache/reuse"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/cache/tally"
	"github.com/causeway-sim/causeway/memory/cache/tensor"
)

// base is what both fidelities of a cache have in common: ports, state, rules,
// requests that are not answered, and counters.
type base struct {
	*sim.ComponentBase
	spec      Spec
	top       *engine.Port
	plain     bool        // see hits
	gate      *block.Link // what comes over it is no message; nil outside of a block
	ticker    *engine.Ticker
	clock     clock.Clock
	core      *tagstore.Store
	shift     uint // log2 of the bytes of a line
	sector    uint // log2 of the bytes of a sector
	below     below
	tensors   *tensor.Numbers
	foresight bool     // the policy wants next uses
	clean     bool     // writes leave nothing dirty
	around    bool     // nor a new line
	source    sim.Port // whose next uses they are

	requests  pool.Of[request, uint32]
	responses memory.Responses
	tasks     task.Source
	now       sim.VTimeInSec // being handled; in a block, where a task is open
	shown     int            // open tasks of requests in a block
	flush     flushing
	incl      inclusion
	warming   warmState
	streams   *prefetch.Streams // nil: none are looked for
	fillsLate bool              // allocate: fill
	count     counters
	detail    *tally.Detail    // nil: not recorded
	profile   *tally.Profile   // nil: not recorded
	bytes     *content.Lines   // nil: the cache keeps time only
	reuse     *reuse.Distances // nil: not recorded
	stats     *stats.Group

	assumptions []string
}

// A request is a message that is not answered yet.
type request struct {
	msg         sim.Msg // nil in a block
	tag         uint32  // of a request in a block
	hint        *memory.Hint
	addr, bytes uint64
	at          uint64 // cycle in which it was taken from the port
	order       uint64 // of arrival
	task        task.ID
	due         uint64 // of the answer, as far as it is known
	left        int32  // what it waits for
	write       bool
	drop        bool // the cache above is to drop the line again when it has it
	extra       bool // bytes that the tags took for present are being read
	holes       bool // a write whose mask leaves bytes out; noted with bytes only
	named       bool // tensor is known
	tensor      uint16
}

// lines is the number of lines that a request touches; of no bytes, one.
func (b *base) lines(r *request) int {
	return int((r.addr+max(r.bytes, 1)-1)>>b.shift-r.addr>>b.shift) + 1
}

// span is the bytes of a line that a request touches.
func (b *base) span(r *request, line uint64) (from, to uint64) {
	from, to = line<<b.shift, (line+1)<<b.shift
	return max(from, r.addr), min(to-1, r.addr+max(r.bytes, 1)-1) + 1
}

// open is the number of requests that are not answered.
func (b *base) open() int { return b.requests.Taken() }

// flushing is the state of the cache's own Flush.
type flushing struct {
	op      memory.ControlOp // 0: none
	at      uint64           // cycle from which on it is due; never: not yet known
	done    bool
	req     memory.ControlReq // the cache's own request, which no node has sent
	written uint64            // bytes
	begun   uint64            // cycle
	ended   uint64            // cycle of the last answer from below
}

// isOwn reports whether a message is the cache's own request, which no node waits for.
func (b *base) isOwn(m sim.Msg) bool { return m == sim.Msg(&b.flush.req) }

// flushing reports whether a flush is to come whose time is known.
func (b *base) flushing() bool { return b.flush.op != 0 && !b.flush.done && b.flush.at != never }

// counters are of requests at the upper port, in requests, bytes and cycles.
type counters struct {
	memory.Traffic
	answered, controls  uint64
	latency, latencyMax uint64
	merges              uint64 // misses that go with a fetch under way
	first, last         uint64 // cycle of the first request, of the last answer
}

func (c *counters) answer(latency, cycle uint64) {
	c.answered++
	c.latency += latency
	c.latencyMax = max(c.latencyMax, latency)
	c.last = max(c.last, cycle)
}
