package system

import "github.com/causeway-sim/causeway/components/stats"

// A Better says in which direction a metric improves.
type Better uint8

// The directions. Neither is of a metric that is read beside others and is no aim: a share of what
// the machine can do grows when the machine gets slower.
const (
	Less Better = iota
	More
	Neither
)

func (b Better) String() string { return [...]string{"less", "more", "neither"}[b] }

// A Headline is a metric that a reader asks a kind of node for first. Reports, tables of
// sweeps, fronts and comparisons show it before all others.
type Headline struct {
	Metric string
	Phase  string // "measure"; "" is the whole run
	Unit   stats.Unit
	Better Better
	Label  string // in large print: "packet latency"
	// Unless is a metric of the same node and phase that takes the meaning from this one
	// where it is not 0: the latency of a network that is saturated.
	Unless string
}

// Mean reports whether nodes together have the mean of the metric, and not its sum: times and
// shares.
func (h Headline) Mean() bool {
	return h.Unit == stats.NS || h.Unit == stats.Cycle || h.Unit == stats.Percent
}

// TotalTime is the metric of the whole system that says how long the run took.
const TotalTime = "total_time"

// A Subject is how soon a reader asks about the nodes of a kind. A run has one question:
// nodes that it is about come before those that take part in it.
type Subject uint8

// The subjects in the order in which a reader asks about them.
const (
	OfServers  Subject = iota // requests over time
	OfTraffic                 // a network under load
	OfWork                    // cores that carry out a workload
	OfState                   // what is counted without time: a functional cache
	OfPrograms                // ranks, hosts and processors that run a program
	OfRequests                // drivers of traces and patterns
	OfCaches                  // between drivers and memory
	OfLinks                   // to memory
	OfMemories
	OfNetworks // that carry what others send
	OfCosts    // energy and area of the whole
)
