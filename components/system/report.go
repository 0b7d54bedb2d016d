package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// The interfaces of this file are what a run asks of nodes while it goes on and after
// its end. A node implements those that apply to it.

// A Worker is a node with a known amount of work. Progress counts its parts: done
// grows up to total, which may grow too while work is found. Both are equal when
// nothing is left, and a run that ends earlier has failed. It is read while the
// simulation runs, by another goroutine, so it must be safe for that.
type Worker interface {
	Node
	Progress() (done, total int64)
}

// A Counter is a worker that says what its Progress counts, in the plural: "requests".
type Counter interface{ Unit() string }

// A Doer is a worker that names what it is working on, as the live page shows it: a layer,
// a collective; "" between two. It is asked while the engine stands still.
type Doer interface{ Doing() string }

// A Clocked node has one clock that its cycles are counted in.
type Clocked interface {
	Node
	Clock() clock.Clock
}

// A Mapped node maps a loop nest of its own and can write the mapping out in each of the
// forms in which it reads one; "" is that of its input.
type Mapped interface {
	Node
	Mapping(form string) ([]byte, error)
}

// A Leveled node has a table with a row per storage level and tensor, with the same
// columns whatever the kind. It is asked after the end of the run.
type Leveled interface {
	Node
	Levels() *stats.Table
}

// A Tabled node has a table with a row per layer, or per rank. It is asked after the
// end of the run; nil or no columns: it has none this time.
type Tabled interface {
	Node
	Layers() *stats.Table
}

// A Compact node says how many bytes a row of its table of layers takes, in the node and while
// the report is made.
type Compact interface{ RowBytes() int }

// A Server is a node that serves requests, with a table that has a row for each. It is
// asked after the end of the run; one node of a system is one.
type Server interface {
	Node
	Requests() *stats.Table
}

// An Assumer is a node that assumes something where no source gives a figure. Each
// assumption is one sentence; equal ones of several nodes are said once.
type Assumer interface {
	Node
	Assumptions() []string
}

// A Causal node says what its time went to, in parts that do not overlap. It is asked after
// the end of the run; nil says nothing. Nodes that count cycles by cause (stats.Causes) need
// not be one: their metrics say so.
type Causal interface {
	Node
	Causes() *cause.Tree
}

// A Companion is a node without an end of its own that may go on as long as the jobs of a system.
type Companion interface {
	Node
	Starter
	// Accompany says, before Start, whether the system has jobs. It reports whether the node goes
	// on until Leave.
	Accompany(jobs bool) (bool, error)
	// Acts reports whether events of a handler are the node's own.
	Acts(h sim.Handler) bool
	// Leave says that all jobs have ended. It is called after all primary events of its time.
	Leave(now sim.VTimeInSec)
}

// A Judge is a node that can say in a sentence what the run showed: the load at which
// a network saturates. It is asked after the end, where no core counts cycles by
// cause; "" says nothing.
type Judge interface {
	Node
	Verdict() string
}

// A Sharer is a node that can share its work among cores, with the same results. Share is
// called before Start, Shared after it: it reports whether several workers make a
// difference.
type Sharer interface {
	Share(workers int)
	Shared() bool
}

// A Strider is a Sharer whose parts meet every so often, 0 if it has none, once it has
// started: who looks at it more often slows it down.
type Strider interface{ Stride() sim.VTimeInSec }

// A Scaler is a Sharer that measures, once it has started, what more cores would give, and
// says so after the run; see network.Scaler.
type Scaler interface {
	Scale()
	Estimate(cores []int) (times []float64, windows, parts int)
}

// A Divisible node is a network: where a system is simulated in parts that meet at each
// quantum of time, its links are borders, and it may be divided itself. Divide is called
// before the first event.
type Divisible interface{ Divide(quantum units.Time) }

// Whole is a Sharer that says why it cannot be shared, once it has started; "" if it can.
type Whole interface{ Whole() string }
