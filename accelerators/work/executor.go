package work

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/schedule"
	"github.com/causeway-sim/causeway/workloads/serving"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// An Executor is a node that carries out operators in the order of issue, or of arrival if they
// were issued ahead. The next operator begins in the cycle in which one ends. An executor gets
// operators either ahead or during the run, not both.
type Executor interface {
	system.Node
	engine.Waiter
	// Clock returns the clock of all cycles of the executor.
	Clock() clock.Clock
	// Prepare registers the jobs of a share. It is called after the address maps are set and
	// before Start; later a Prepare message does the same. The jobs may then be issued any number
	// of times; with Share.Ahead this call issues them. A share replaces an earlier one of the
	// same ID.
	Prepare(Share) error
	// Plan returns the cost of a job of a prepared share on an idle executor. It has no side
	// effect, and the result does not depend on time.
	Plan(share int32, job int) Cost
	// Ops is the port for operators. It receives Issue, Revoke and Prepare, and Ready if its jobs
	// wait for those of other executors; it sends Done when a job ends.
	Ops() sim.Port
	// Start schedules the first event, at time 0.
	Start() error
	// Layers returns a row per finished operator, in order.
	Layers() *stats.Table
}

// An Issuer is a server that can report whether it issues its operators or only computes their
// times.
type Issuer interface {
	Issues() bool
	// Replicas returns the number of servers in lock step that the node stands for.
	Replicas() int
}

// A Pricer is an executor whose cost of an operator depends on the operator alone.
type Pricer interface {
	Executor
	// Price returns the cost of operator op of g on an idle executor.
	Price(g *graph.Graph, op int) Cost
}

// A Listed executor reads the cost of a layer from a list, by name. It has no cost for other
// operators.
type Listed interface {
	Executor
	Listed()
}

// A Quantised executor prices products whose activations the kernel before them has quantised. ok is
// false if it has no such price.
type Quantised interface {
	Pricer
	PriceQuantised(g *graph.Graph, op int) (t units.Time, ok bool)
}

// A Multiplier knows the element types that its arrays multiply themselves.
type Multiplier interface {
	Multiplies(d graph.DType) bool
}

// An Attender has one kernel for attention of sequences of different lengths.
type Attender interface {
	Pricer
	// Attend returns the time and the energy of that kernel on an idle executor.
	Attend(parts []Attention, d graph.DTypes) Cost
}

// PlannedEnergy is the metric of a Credited executor with that energy; without it the executor was told none.
const PlannedEnergy = "energy_planned"

// A Credited executor is told what planned steps have taken on it, which were not issued: the time of
// their operators, and their energy in that time.
type Credited interface {
	Executor
	Credit(c Cost)
}

// A Governed executor keeps its power limit in the mean over a window, so that what a step takes depends on the power
// of the steps before it.
type Governed interface {
	Credited
	// Governs reports whether the mean over a window decides.
	Governs() bool
	// Bursts has later prices be those of kernels before the limit binds (true), or held at the limit.
	Bursts(on bool)
	// Free returns the share of the work of a step, begun now with that cost as a burst, which is done before the
	// limit binds.
	Free(burst Cost) float64
	// Part returns the share of the work of that step which is done as a burst: what is free, and as much more as keeps
	// the mean of power at the limit.
	Part(free float64, burst, held Cost) float64
}

// An Attention is one attention of Requests equal requests.
type Attention struct {
	graph.Attention
	Requests int
}

// A Preparer is an executor whose attention kernels may also rotate queries and keys and write
// the key/value cache.
type Preparer interface {
	Executor
	// Prepares reports whether the kernel of attention op does so.
	Prepares(g *graph.Graph, op *graph.Op) bool
}

// A Trainer is an executor that carries out the backward pass of an attention as one operator.
type Trainer interface {
	Executor
	AttendsBackward()
}

// An Exchanger is an executor that carries out transfers between the chips of its machine
// (graph.Exchange) itself.
type Exchanger interface {
	Executor
	Exchanges()
}

// A Mixer is an executor that has one kernel for all experts of a mixture.
type Mixer interface {
	Executor
	// Mixes reports whether operator op of g is part of such a kernel. One of the operators takes
	// the time of the whole kernel.
	Mixes(g *graph.Graph, op int) bool
}

// A Joiner is an executor that has one kernel for some operators of a model, such as products of one
// operand.
type Joiner interface {
	Pricer
	// Joins reports whether operator op of g is part of such a kernel. The first of the operators
	// takes the time of the whole kernel: prices are those in g.
	Joins(g *graph.Graph, op int) bool
}

// A Fuser is an executor that may fuse following operators into a kernel.
type Fuser interface {
	Executor
	// Fuses reports whether it does.
	Fuses() bool
}

// A Holder is an executor whose own memory must hold weights, keys and values.
type Holder interface {
	Executor
	// Hold is called before Start with a share whose weights and key/value entries stay in memory
	// during the whole run. It returns an error if they do not fit. Shares with Step hold nothing
	// in addition.
	Hold(Share) error
}

// A Cost is the time, traffic and energy of an operator.
type Cost struct {
	Time units.Time
	// Fetch and Compute are the parts of memory and compute units, on an executor whose memory
	// works ahead; both are 0 on others.
	Fetch, Compute units.Time
	Bytes          uint64  // read from and written to memory
	Energy         float64 // pJ; 0: no model
	Clock          float64 // over the full one, with an energy
	Limited        bool    // at the end a power limit sets the clock
}

// Protocol is the protocol of ports for operators.
const Protocol = "ops"

// A Prepare registers a share during the run, as Executor.Prepare does before it, for operators
// issued after it. It replaces a share of the same ID, which must have no operator in flight.
type Prepare struct {
	sim.MsgMeta
	Share Share
}

// Meta implements sim.Msg.
func (m *Prepare) Meta() *sim.MsgMeta { return &m.MsgMeta }

// An Issue issues an operator to an executor: a job of a share, or a Recorded computation.
type Issue struct {
	sim.MsgMeta
	Share   int32 // ID of a prepared share
	Job     int32 // of its program
	Request int32 // number of the issuer, returned with Done
	Nth     int32 // request of the workload, from 0
	Task    task.ID
	Delay   units.Time // before the operator, for a Switcher
	Carried bool       // it reads what a transfer or a collective has brought
	// Recorded, if not nil, replaces Share and Job. Only Direct.Issue takes it.
	Recorded *Recorded
}

// A Recorded is a computation of a trace, without a graph. If FLOPs and Bytes are 0 it takes its
// Time.
type Recorded struct {
	Workload, Name string
	FLOPs          float64
	Bytes          uint64
	Time           units.Time
	// Beside: the executor's host runs it, in parallel with the executor, and no metric counts
	// it.
	Beside bool
}

// A Direct executor also takes operators by call, and carries out Recorded computations. The
// caller is a player that acts in the events of its nodes.
type Direct interface {
	Executor
	// Issue carries out an operator from this cycle on, after those issued before. It returns the
	// Done at once, with an End in the future; no message follows.
	Issue(i *Issue, cycle uint64) Done
}

// A Revoke withdraws an operator that has not begun. The answer is a Done: with Revoked set, or
// of the finished operator if that had begun.
type Revoke struct {
	sim.MsgMeta
	Share, Job, Request int32
}

// A Done reports that an operator has ended or was revoked. Begin and End are cycles of the
// executor's clock; the Done is sent in the cycle End. Of operators issued ahead only those that
// another executor waits for are reported.
type Done struct {
	sim.MsgMeta
	Share, Job, Request int32
	Begin, End          uint64
	Revoked             bool          // it was withdrawn before it began
	Of                  mapping.Token // names the job among those of all executors, if it was issued ahead
}

// A Ready reports that all jobs of a join are done, the receiver's own not counted. Jobs issued
// ahead that wait for the join may begin.
type Ready struct {
	sim.MsgMeta
	Share int32
	Join  *mapping.Join
	Last  mapping.Token // the job that ended last; of several in one cycle that of the lowest core
}

// Meta implements sim.Msg.
func (m *Ready) Meta() *sim.MsgMeta { return &m.MsgMeta }

// Meta implements sim.Msg.
func (m *Issue) Meta() *sim.MsgMeta { return &m.MsgMeta }

// Meta implements sim.Msg.
func (m *Revoke) Meta() *sim.MsgMeta { return &m.MsgMeta }

// Meta implements sim.Msg.
func (m *Done) Meta() *sim.MsgMeta { return &m.MsgMeta }

// A Workload is a graph for a Scheduler, as jobs, with the arrivals of its requests.
type Workload struct {
	Name     string
	Part     bool  // it is one part of a model; its requests do not count as requests of the model
	ID       int32 // of the share that each executor has prepared
	Graph    *graph.Graph
	Jobs     []Job
	Times    []units.Time // of arrival, ascending
	Nth      []int32      // number of each request, if some were left out; nil is 0, 1, 2, ...
	Deadline units.Time   // of a request, after its arrival; 0: none
	Priority int
	// Batches[n-1] is the ID of the share for n requests at once; empty: requests run one by one.
	// All shares have the same jobs.
	Batches []int32
	// Feet are the footprints of the jobs, if the scheduler accounts for memory.
	Feet   []schedule.Footprint
	FormOf string  // workload of which this is a smaller variant; "" is none
	After  string  // workload whose request of the same number must end first; "" is none
	On     []Place // executors that may carry it out
	// Before are pairs of operators of Graph, of which the first waits for the second in addition
	// to its data dependencies.
	Before [][2]int32
	// Source gives, by operator of Graph, the operator of which it is a piece; nil: no operator
	// is in pieces.
	Source []Piece
	// Layers is the layers that repeat as one period (simulation.repeat) because transfers of one
	// overlap with computations of the next; 0: a period per layer.
	Layers int
}

// A Piece names the operator that an operator of a graph is a part of.
type Piece struct {
	Op   int // equal numbers are parts of one operator
	Name string
}

// A Place is an executor that has prepared a workload. Job is, by job of the workload, its index
// in the prepared share; -1 is a job that the executor cannot carry out.
type Place struct {
	Executor
	Job []int32
	// With are further executors with parts of the same operators; an operator is done when all
	// its parts are. A job of -1 is an operator of which the executor has no part.
	With []Place
}

// Members returns the place and those of With.
func (p *Place) Members() []Place {
	return append([]Place{{Executor: p.Executor, Job: p.Job}}, p.With...)
}

// A Concurrent executor begins every operator when it is issued, in parallel with others: a
// network interface.
type Concurrent interface {
	Executor
	Concurrent()
}

// A Communicator is an interface that knows the prices of transfers and needs no peers to carry out a
// collective.
type Communicator interface {
	Concurrent
	// Meet says which communicators send to each other, by rank. It is called once, of the first.
	Meet(all []Communicator) error
	// Note says before the run that Taken will be asked.
	Note()
	// Taken is what kernels of transfers had of the chip between two times of the past. Calls ask
	// for times that do not go back.
	Taken(from, to units.Time) Taking
}

// Taking is what kernels of transfers have of a chip.
type Taking struct {
	SMs   float64 // added up over seconds
	Time  float64 // seconds in which it was any
	Bytes float64 // read and written of the chip's memory
}

// A Yielder is an executor whose SMs the kernels of transfers take.
type Yielder interface {
	Executor
	// Yields names the communicator of the chip, before the run.
	Yields(to Communicator)
}

// A Keeper is an executor whose memory traffic leaves out tensors that stay on the chip
// (Share.Kept).
type Keeper interface {
	Executor
	Keeps()
}

// A Spreader is an executor that uses Share.Spread.
type Spreader interface {
	Executor
	Spreads()
}

// A ReadTimer is an executor that counts its reads per address range: Reads returns the answered
// reads of the range of an address and the sum of their cycles.
type ReadTimer interface {
	Executor
	Reads(addr uint64) (n, cycles uint64)
}

// A FormSwitcher is a scheduler that may carry out a request of one workload in the form of another.
type FormSwitcher interface {
	Scheduler
	// Moved returns the requests of others carried out as workload id, less requests of id
	// carried out as others.
	Moved(id int32) int
}

// A Switcher is an executor that delays an operator by Issue.Delay.
type Switcher interface {
	Executor
	Switches()
}

// A Chooser is a scheduler or a server whose configuration may name its workloads.
type Chooser interface {
	// Workloads returns the names and the configuration value that lists them; nil if none are
	// named.
	Workloads() ([]string, configs.Value)
}

// A Batcher is a scheduler that batches requests of one workload.
type Batcher interface {
	Scheduler
	// Batching returns the most requests of a batch, the bytes of an executor's memory that hold
	// results between operators, and the most bytes of weights of one operator in it; 0 bytes
	// hold nothing.
	Batching() (most int, memory, weights uint64)
}

// A Job is one operator, by index in the graph, with the operators fused to it.
type Job struct {
	Op    int
	Fused []int
}

// A Scheduler is a node that issues the operators of workloads to executors while the
// run goes on.
type Scheduler interface {
	system.Node
	system.Starter
	system.Worker
	// Executors returns the linked executors, sorted by name.
	Executors() []Executor
	// Schedule sets the workloads. It is called once, before Start.
	Schedule([]Workload) error
	// Dropped returns the requests of workload id that were given up.
	Dropped(id int32) int
}

// A Meter reads the counters of all nodes of a system (counts, energy, cycles) and the contents
// of their stores.
type Meter interface {
	// Mark returns the present counters and contents.
	Mark() Mark
	// Differ compares two intervals by bytes moved and by evictions from stores, as a share of
	// all.
	Differ(a, b [2]Mark) schedule.Difference
	// Stores returns the contents of stores at the end of an interval, and what entered during
	// it.
	Stores(of [2]Mark) []schedule.Store
	// Repeat adds the counts between two marks n more times. No executor is counted busy after
	// until.
	Repeat(from, to Mark, n uint64, until units.Time)
}

// A Mark is a reading of a Meter: the counters and the contents of each node.
type Mark struct {
	Counts []stats.Tally
	Held   []stats.Holding
}

// An EndTrimmer is a node whose end may lie after the end of repeated periods. TrimEnd moves it back
// to until.
type EndTrimmer interface{ TrimEnd(until units.Time) }

// TrimEnd moves *end back to until, at most by *idle, and takes the difference from *idle.
func TrimEnd(end, idle *uint64, until uint64) {
	if *end > until {
		n := min(*end-until, *idle)
		*end, *idle = *end-n, *idle-n
	}
}

// A Sampler is a Server that can skip periods that repeat, and count them as the simulated ones.
type Sampler interface {
	Server
	// Sample permits that. It is called once, before Start.
	Sample(Meter)
}

// A Leader is a Sampler that can let equal chips follow one of them: it issues operators to the
// first and the last chip alone, and those of the others take as long as on the first.
type Leader interface {
	Sampler
	// Follow permits that. executors are those of each chip, without interfaces, which carry out
	// their transfers. It is called once, after Sample.
	Follow(executors [][]Executor, counts Chips)
}

// Chips are the counters of the nodes of equal chips.
type Chips interface {
	// Open begins an interval.
	Open()
	// Settle ends an interval and begins the next: the chips that follow get the counts of the
	// first one in place of their own. It returns the bytes that the first has moved, and the sum
	// of the differences of the last one's. The error is a memory that chips share and have used.
	Settle() (bytes, apart uint64, err error)
}

// A Repeating scheduler can skip layers of a request that repeat, and count them as the simulated
// ones.
type Repeating interface {
	Scheduler
	// Repeat permits that. It is called once, after Schedule of workloads that have one request
	// each and the same arrival. A period is the operators before the layers, of each layer, or
	// after them.
	Repeat(m Meter, periods []schedule.Shape)
}

// A Server is a node that forms batches of requests during the run, one after the other, and
// issues them as workloads.
type Server interface {
	system.Node
	system.Starter
	system.Worker
	// Executors returns the linked executors, sorted by name.
	Executors() []Executor
	// Serve sets the requests. It is called once, before Start.
	Serve(Service) error
	// Entries returns the capacity of its key/value memory in tokens, after Serve.
	Entries() int
	// Instances returns the number of independent servers that the chips are divided into.
	Instances() int
	// Prefills returns the number of those that compute prompts only; they are the first.
	Prefills() int
	// Tiers returns the tiers of the key/value memory; nil if the placement section decides where
	// it lies. All but Tier.Entries is known before Serve.
	Tiers() []Tier
}

// A Tier is one tier of a server's key/value memory.
type Tier struct {
	Name    string        // of its ranges in the memory section
	Entries int           // after Serve
	At      configs.Value // the entry of the configuration, for errors
}

// Holding is an executor that has a memory of a known size.
type Holding interface {
	// MemorySize returns the bytes of the memory; 0: it has no limit.
	MemorySize() uint64
}

// A Service is the requests of a model, and functions that build and time their batches.
type Service struct {
	Name     string
	Requests []serving.Request
	// Loop is the number of clients, each of which sends its next request when the one before has
	// ended; 0: requests come when they say.
	Loop int
	// Entry is the bytes of one token's keys and values in all layers, on a chip that holds them.
	// Keys is the chips over which the tokens of a request are spread: token j is on chip j %
	// Keys; 0: they are not spread.
	Entry uint64
	Keys  int
	Chips int // of an instance
	// Layers is the layers of the model.
	Layers int
	// Senders is the chips of an instance that send parts of a Move at once, each through an
	// interface of its own, where no interface is linked; 0: one.
	Senders int
	// Room returns the entries that fit into a share of the chips' memory, besides the weights; 0: that
	// memory limits nothing. It is nil where the memory is not known.
	Room func(instance int, share float64) (entries int, err error)
	// Groups returns the groups of chips of an instance that each attend to requests of their own
	// (data parallel attention); nil: one.
	Groups func(instance int) int
	// Token is the bytes of a token between layers, and Mixtures the number of layers with
	// several experts.
	Token    uint64
	Mixtures int
	// Batch makes the operators of a batch of an instance. slot, 0 or 1, selects the IDs of its
	// shares; batches of one slot do not overlap.
	Batch func(b Batch, instance, slot int) ([]Part, error)
	// Move makes the operators that transfer keys and values between instances over their network
	// interfaces; an instance has at most one Move in flight. Move is nil if no interface is
	// linked, or if times are planned.
	Move func(Move) ([]Part, error)
	// Time returns the time of batches of servers in lock step on idle executors, with operators
	// one after the other; instance is the first server's.
	Time func(all []Batch, instance int) (units.Time, error)
	// Charge charges the executors for the energy of the batches that Time had last; nil if there is no model.
	Charge func()
	// Portions divides Time by activity; nil if that is not known. It is called only in a run
	// that records explanations of tasks.
	Portions func(all []Batch, instance int) []Portion
	// Send returns the time of a Move over idle interfaces and an idle network; nil if no
	// interface is linked.
	Send func(Move) (units.Time, error)
	// Reads returns the reads of a tier that an instance's executors have measured, and the sum
	// of their times.
	Reads func(instance, tier int) (n uint64, took units.Time)
}

// A Portion is the time of one activity in a batch.
type Portion struct {
	What string
	Time units.Time
}

// A Batch is the requests of a step in groups of equal requests. With Padding the last group is
// padding, whose requests attend to themselves only.
type Batch struct {
	Groups  []zoo.Group
	Padding bool
	// At is, for each group, the place of its first request's keys and values, in tokens from the
	// start of the key/value memory.
	At []int
	// Spans replace At if the key/value memory has tiers: for each group, first the entries that
	// are written, then the others.
	Spans [][]serving.Span
	// From and To are blocks that are copied while the batch computes.
	From, To []serving.Span
}

// A Move is a transfer of keys and values between instances: Entries tokens, from place FromAt to
// place ToAt of their key/value memories.
type Move struct {
	From, To     int // instances
	Entries      int
	FromAt, ToAt int
	// Reads and Writes replace FromAt and ToAt if the memories have tiers.
	Reads, Writes []serving.Span
}

// A Part is the work of one chip in a batch, or of a pair of chips in a Move: a workload, and the
// share of each executor that may carry it out.
type Part struct {
	Workload
	// Common is set if a tensor of the workload may lie in a memory that several chips reach.
	Common bool
	Shares []Share // of the members of its places, in order
}
