package cache

import (
	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/mshr"
	"github.com/causeway-sim/causeway/memory/policy"
)

// A Timed is a cache of banks, MSHRs and buffers: see the package's doc.
type Timed struct {
	base
	timed        TimedSpec
	latency, tag uint64 // cycles
	width        uint64 // bytes per cycle and bank
	onFill       bool
	moved        *stats.Course   // bytes of lookups; nil unless the run is observed
	looks        map[uint32]look // of requests; nil: no observer wants explanations
	patient      bool            // who had to wait is looked up again when the stand is another

	banks     []bank
	busy      []uint64      // set of banks with lines that wait
	awake     []uint64      // of them, those that may begin one, as far as is known
	queues    int           // how many are busy
	pushes    int           // entries of the write buffer that a lookup takes at most
	filled    bool          // the write buffer was full when banks began last ...
	uneven    bool          // ... or became so while they did
	fastReads bool          // see isLean
	asked     policy.Access // of the read that takes the short way
	waiting   int           // lines in front of all banks
	room      int           // of them from which on requests are held back
	mshrs     *mshr.File
	fetches   ring.Of[fetch]
	fresh     []fetch                     // of this cycle
	run       []int32                     // MSHRs of the fetches that a read brings
	order     []int32                     // banks in their turn
	hints     pool.Of[memory.Hint, int32] // of fetches
	writes    ring.Of[fetch]
	held      int                 // writes below that are not answered, in entries
	answers   calendar.Of[uint32] // requests; of one cycle in the order in which they came
	waits     waits
	book      book
	late      uint64 // hits on lines under way
	drain     int    // writes that have to go before the next read
}

// A bank looks up one line at a time, in the order of arrival.
type bank struct {
	lines ring.Of[lookup]
	free  uint64  // cycle from which on it can begin another
	why   *uint64 // what the first line is known to wait for
	stuck stand   // how things stood then

	absent int32 // the set of the first line plus 1, if that is neither here nor under way
}

// A lookup is a line of a request on its way to the tags.
type lookup struct {
	request uint32
	k       int32
}

// A stand is what decides whether a line that waits may be looked up: lines of its slice
// that have come, and whether the write buffer is full.
type stand struct {
	came uint64
	full bool
}

// A fetch is bytes of one line to be read or written below.
type fetch struct {
	from, to uint64
	ready    uint64 // cycle from which on it may be sent
	order    uint64 // of the request
	hint     int32  // number of its hint plus 1, 0: it has none
	tag      uint32 // of a write: the request that waits for it, or noRequester
	mshr     int32  // of a read: its number
}

// waits counts lookups that had to wait, by what for.
type waits struct{ mshr, merge, buffer uint64 }

const never = ^uint64(0)

func (f *fetch) before(g *fetch) bool {
	return f.order < g.order || f.order == g.order && f.from < g.from
}

// bankOf is the bank of a line: those of a slice take its lines in turn.
func (c *Timed) bankOf(line uint64) int {
	slice := c.core.Slice(line)
	if c.timed.Banks == 1 {
		return slice
	}
	return slice*c.timed.Banks + int(line/uint64(c.timed.Slices)%uint64(c.timed.Banks))
}
