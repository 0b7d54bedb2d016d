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

// A Headline is a main metric of a kind of node. Reports, tables of sweeps, fronts and comparisons
// show it before other metrics.
type Headline struct {
	Metric string
	Phase  string // "measure"; "" is the whole run
	Unit   stats.Unit
	Better Better
	Label  string // in large print: "packet latency"
	// Unless is a metric of the same node and phase; if it is not 0 this metric has no meaning, as
	// the latency of a saturated network.
	Unless string
}

// Mean reports whether the metric of several nodes is their mean (times, shares), not their sum.
func (h Headline) Mean() bool {
	return h.Unit == stats.NS || h.Unit == stats.Cycle || h.Unit == stats.Percent
}

// TotalTime is the name of the system's metric of simulated time.
const TotalTime = "total_time"

// StepTime is the name of the system's metric that only a run of one step of training has.
const StepTime = "step_time"

// A Subject ranks kinds of nodes in reports: the nodes that a run studies come before those that
// only take part.
type Subject uint8

// The subjects, the most important first.
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
