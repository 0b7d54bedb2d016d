package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// A run calls the interfaces of this file during the run and after its end. A node implements
// those that apply to it.

// A Worker is a node with a known amount of work. Progress counts its parts: done grows up to
// total, which may grow too. Both are equal when no work is left; a run that ends earlier has
// failed. Another goroutine calls Progress during the simulation.
type Worker interface {
	Node
	Progress() (done, total int64)
}

// A Counter is a worker that names the unit of its Progress, in the plural: "requests".
type Counter interface{ Unit() string }

// An Active worker counts its activity: the bursts that it sends and the steps that it computes.
// The processor time of a run grows with them. Activity is the number so far, and Planned about
// that of its whole program. Both are called while the engine is stopped.
type Active interface {
	Worker
	Activity() int64
	Planned() int64
}

// An ActivityNamer is a worker that names its current work for the live page: a layer, a collective; "" for
// none. CurrentWork is called while the engine is stopped.
type ActivityNamer interface{ CurrentWork() string }

// A Clocked node counts its cycles in one clock.
type Clocked interface {
	Node
	Clock() clock.Clock
}

// A Mapped node maps a loop nest and can write the mapping in each of its input forms; "" is the
// form of its input.
type Mapped interface {
	Node
	Mapping(form string) ([]byte, error)
}

// A Leveled node has a table with a row per storage level and tensor, of the same columns for
// every kind. Levels is called after the run.
type Leveled interface {
	Node
	Levels() *stats.Table
}

// A Tabled node has a table with a row per layer, or per rank. Layers is called after the run; nil
// or a table without columns is no table.
type Tabled interface {
	Node
	Layers() *stats.Table
}

// A Compact node returns the bytes that a row of its table of layers takes, in the node and in a
// report.
type Compact interface{ RowBytes() int }

// A Server is a node that serves requests and has a table with a row for each. Requests is called
// after the run.
type Server interface {
	Node
	Requests() *stats.Table
}

// An Assumer is a node that uses an assumption in place of a published figure. Each assumption is
// one sentence; equal sentences of several nodes are reported once.
type Assumer interface {
	Node
	Assumptions() []string
}

// A Causal node divides its time among causes, in parts that do not overlap. Causes is called
// after the run; nil means that there is no division. Nodes that count cycles by cause
// (stats.Causes) need not implement it.
type Causal interface {
	Node
	Causes() *cause.Tree
}

// A Folded node may simulate one of several equal parts of the system for all (Env.Whole). It is not
// known before the end of a run whether they were equal: a run that ends with an error has to be
// repeated as a whole.
type Folded interface {
	Node
	Folded() bool
}

// A Background is a node without its own end that may run as long as the jobs of the system.
type Background interface {
	Node
	Starter
	// RunUntilJobsEnd is called before Start; jobs is set if the system has jobs. It returns true if the
	// node runs until JobsEnded.
	RunUntilJobsEnd(jobs bool) (bool, error)
	// Acts reports whether events of a handler are the node's own.
	Acts(h sim.Handler) bool
	// JobsEnded is called when all jobs have ended, after all primary events of that time.
	JobsEnded(now sim.VTimeInSec)
}

// A Rester is a node that takes power from the start of the run to its end, whether it works or not.
// Both are called after the run: LastActivity returns the time of the node's last activity, in nanoseconds,
// and RestUntil has the end of the run, before the metrics of energy are read.
type Rester interface {
	Node
	LastActivity() float64
	RestUntil(ns float64)
}

// A Summarizer is a node that summarises the run in a sentence: the load at which a network saturates.
// Summarize is called after the run if no core counts cycles by cause; "" is no summary.
type Summarizer interface {
	Node
	Summarize() string
}

// A Sharer is a node that can distribute its work over the cores of the host, with the same
// results. Share is called before Start; Shared, called after it, reports whether several workers
// have an effect.
type Sharer interface {
	Share(workers int)
	Shared() bool
}

// A Strider is a Sharer whose parts synchronise every Stride seconds (0: it has no parts), valid
// after Start. Reading its state more often slows the run down.
type Strider interface{ Stride() sim.VTimeInSec }

// A Scaler is a Sharer that can estimate the speed-up on more cores. Scale is called after Start
// and before the first event, Estimate after the run; see network.Scaler.
type Scaler interface {
	Scale()
	Estimate(cores []int) (times []float64, windows, parts int)
}

// A Divisible node is a network that can be a border between parts of a system that synchronise
// every quantum; it may also divide itself. Divide is called before the first event.
type Divisible interface{ Divide(quantum units.Time) }

// Whole is a Sharer that returns, after Start, why its work cannot be shared; "" if it can.
type Whole interface{ Whole() string }
