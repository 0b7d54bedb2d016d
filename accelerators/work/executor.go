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

// An Executor is a node that carries out operators: in the order in which they were issued,
// those that were issued ahead by their arrival, going on to the next in the cycle in which
// one ends. Operators that are issued ahead and while the run goes on do not mix.
type Executor interface {
	system.Node
	engine.Waiter
	// Clock is the clock that its cycles are of.
	Clock() clock.Clock
	// Prepare makes the jobs of a share known, after the address maps are set and before Start,
	// or by a Prepare message later. They may then be issued, as often as one likes; with Ahead
	// they are issued by this. A share of the same number is forgotten.
	Prepare(Share) error
	// Plan is what a job of a prepared share costs if the executor does nothing else. It
	// changes nothing, and says the same whenever it is asked.
	Plan(share int32, job int) Cost
	// Ops is the port for operators. It receives Issue, Revoke, Prepare, and Ready where its
	// jobs wait for those of other executors; it sends Done when a job ends.
	Ops() sim.Port
	// Start schedules the first event, at time 0.
	Start() error
	// Layers is a row per operator done so far, in order.
	Layers() *stats.Table
}

// An Issuer is a server that issues its operators, or only computes what they take.
type Issuer interface {
	Issues() bool
	// Replicas is how many servers it stands for that step together.
	Replicas() int
}

// A Pricer is an executor that knows what an operator takes by the operator alone.
type Pricer interface {
	Executor
	// Price is what an operator takes if the executor does nothing else.
	Price(g *graph.Graph, op int) Cost
}

// A Listed executor takes for a layer of a workload what a list says, by its name: it has
// no price for operators that it is not given.
type Listed interface {
	Executor
	Listed()
}

// An Attender carries out attention of unlike sequences as one kernel.
type Attender interface {
	Pricer
	// Attend is what that takes if the executor does nothing else.
	Attend(parts []Attention, d graph.DTypes) units.Time
}

// An Attention is that of some requests that are alike.
type Attention struct {
	graph.Attention
	Requests int
}

// A Preparer is an executor that has kernels of attention which rotate queries and keys and write
// the cache themselves.
type Preparer interface {
	Executor
	// Prepares reports whether its kernel of an attention does so.
	Prepares(g *graph.Graph, op *graph.Op) bool
}

// An Exchanger is an executor that carries out transfers between the chips of its machine
// (graph.Exchange) itself.
type Exchanger interface {
	Executor
	Exchanges()
}

// A Mixer is an executor that has kernels for all experts of a mixture at once.
type Mixer interface {
	Executor
	// Mixes reports whether an operator of a graph is a part of such a kernel. One of them takes
	// the time of all.
	Mixes(g *graph.Graph, op int) bool
}

// A Fuser is an executor whose kernels may apply what follows to their results.
type Fuser interface {
	Executor
	// Fuses reports whether they do.
	Fuses() bool
}

// A Holder is an executor with a memory of its own, in which weights, keys and values must
// fit.
type Holder interface {
	Executor
	// Hold says what will be there all the time of a run, before Start: the weights of a
	// graph and all its key/value entries. Shares that are Steps hold nothing besides.
	Hold(Share) error
}

// A Cost is what an operator takes.
type Cost struct {
	Time units.Time
	// Fetch and Compute are its parts on an executor whose memory works ahead of its
	// compute units; both 0: they are not apart.
	Fetch, Compute units.Time
	Bytes          uint64  // read from and written to memory
	Energy         float64 // pJ; 0: no model
}

// Protocol is that of the ports which operators are issued to.
const Protocol = "ops"

// A Prepare makes a share known while the run goes on, as Executor.Prepare does before it:
// to operators that are issued after it. A share of the same number is forgotten, and has
// no operator under way.
type Prepare struct {
	sim.MsgMeta
	Share Share
}

// Meta implements sim.Msg.
func (m *Prepare) Meta() *sim.MsgMeta { return &m.MsgMeta }

// An Issue hands an operator to an executor: a job of a share, or what was Recorded.
type Issue struct {
	sim.MsgMeta
	Share   int32 // that was prepared
	Job     int32 // of its program
	Request int32 // of the scheduler, given back with Done
	Nth     int32 // request of the workload, from 0
	Task    task.ID
	Delay   units.Time // that it begins with; for Switchers
	Carried bool       // it reads what a transfer or a collective has brought
	// Recorded is the operator in place of a job, by call to Direct executors; nil: a job.
	Recorded *Recorded
}

// A Recorded is an operator of no graph: what a trace says of a computation. Without
// operations and bytes it takes its Time.
type Recorded struct {
	Workload, Name string
	FLOPs          float64
	Bytes          uint64
	Time           units.Time
	// Beside: the host of the executor computes it, at the same time as the executor's own
	// operators, and it is in no count.
	Beside bool
}

// A Direct executor takes operators by call as well, from a player that acts in the events of
// its nodes, and carries out what was Recorded.
type Direct interface {
	Executor
	// Issue carries an operator out from this cycle on, or when those before it are done. It
	// knows at once when that ends: the Done tells a cycle to come, and no message follows.
	Issue(i *Issue, cycle uint64) Done
}

// A Revoke asks for an operator back that has not begun. The answer is a Done, with
// Revoked or, if it was too late, without.
type Revoke struct {
	sim.MsgMeta
	Share, Job, Request int32
}

// A Done reports what became of an operator. Begin and End are cycles of the executor's
// clock; it is sent in the cycle End. Of those that were issued ahead only awaited ones are
// reported, and the issuer counts them: it sends a Ready when the last of a join is done.
type Done struct {
	sim.MsgMeta
	Share, Job, Request int32
	Begin, End          uint64
	Revoked             bool          // it has not begun, and never will
	Of                  mapping.Token // the job among those of all executors, if it was issued ahead
}

// A Ready says that all jobs of a join but the executor's own are done: those that were issued
// ahead and wait for it may begin.
type Ready struct {
	sim.MsgMeta
	Share int32
	Join  *mapping.Join
	Last  mapping.Token // the job that was done last; of several in one cycle that of the first core
}

// Meta implements sim.Msg.
func (m *Ready) Meta() *sim.MsgMeta { return &m.MsgMeta }

// Meta implements sim.Msg.
func (m *Issue) Meta() *sim.MsgMeta { return &m.MsgMeta }

// Meta implements sim.Msg.
func (m *Revoke) Meta() *sim.MsgMeta { return &m.MsgMeta }

// Meta implements sim.Msg.
func (m *Done) Meta() *sim.MsgMeta { return &m.MsgMeta }

// A Workload is a graph for a Scheduler, cut into jobs.
type Workload struct {
	Name     string
	Part     bool  // of a model that goes on in other workloads: its requests are no model's
	ID       int32 // of the share that each executor has prepared
	Graph    *graph.Graph
	Jobs     []Job
	Times    []units.Time // of arrival, ascending
	Nth      []int32      // number of each, where not all that might have been made were; nil: 0, 1, 2, ...
	Deadline units.Time   // of a request, after its arrival; 0: none
	Priority int
	// Batches are the shares for several requests at once: Batches[n-1] that of n; empty:
	// requests are carried out one by one. Jobs are equal in all of them.
	Batches []int32
	// Feet are the footprints of the jobs, where the scheduler accounts memory.
	Feet   []schedule.Footprint
	FormOf string  // workload that this is a smaller form of; "": none
	After  string  // workload whose request of the same number must be done before; "": none
	On     []Place // who may carry it out
	// Before are pairs of operators of Graph: the first waits for the second, besides
	// those whose results it reads.
	Before [][2]int32
	// Source tells pieces of one operator: by operator of Graph, the operator that it is a
	// piece of, and its name; nil: each is its own.
	Source []Piece
	// Layers is how many layers of Graph repeat as one (simulation.repeat), where transfers of
	// one go on while the next one computes; 0: each for itself.
	Layers int
}

// A Piece is what an operator of a graph is a part of.
type Piece struct {
	Op   int // number; those of equal numbers are parts of one
	Name string
}

// A Place is an executor that has prepared a workload, and the number of each job in what
// it has prepared; -1: a job that it cannot carry out.
type Place struct {
	Executor
	Job []int32
	// With are other executors that do their parts of the same operators, each of which is
	// done when all are. An executor without a part of one has a job of -1 there.
	With []Place
}

// Members are the executors of a place.
func (p *Place) Members() []Place {
	return append([]Place{{Executor: p.Executor, Job: p.Job}}, p.With...)
}

// A Concurrent executor begins every operator as it comes, at the same time as those under
// way: a network interface.
type Concurrent interface {
	Executor
	Concurrent()
}

// A Keeper is an executor that leaves out of its memory traffic what a share keeps on the
// chip (Share.Kept).
type Keeper interface {
	Executor
	Keeps()
}

// A Spreader is an executor that minds the Spread of a share.
type Spreader interface {
	Executor
	Spreads()
}

// A Gauge is an executor that measures its reads by where they go: how many of the range of
// an address were answered, and how many of its cycles they took together.
type Gauge interface {
	Executor
	Reads(addr uint64) (n, cycles uint64)
}

// A Former is a scheduler that carries requests of one workload out as another.
type Former interface {
	Scheduler
	// Moved is how many requests of others were carried out as that workload, less those of
	// it that were carried out as another.
	Moved(id int32) int
}

// A Switcher is an executor that minds the Delay of an Issue.
type Switcher interface {
	Executor
	Switches()
}

// A Chooser is a scheduler or a server that may say which workloads are its own.
type Chooser interface {
	// Workloads are their names, and the value of the configuration that has them; nil: the
	// node says nothing.
	Workloads() ([]string, configs.Value)
}

// A Batcher is a scheduler that carries out requests of one workload together.
type Batcher interface {
	Scheduler
	// Batching is how many requests at most, and the memory of an executor that holds what
	// operators hand on and at most so much of the weights of one; 0: it holds nothing.
	Batching() (most int, memory, weights uint64)
}

// A Job is one operator to be issued, with what is fused to it.
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
	// Executors are those that it is linked to, in the order of their names.
	Executors() []Executor
	// Schedule gives it workloads, once, before Start.
	Schedule([]Workload) error
	// Dropped is how many requests of the workload with that ID were given up.
	Dropped(id int32) int
}

// A Meter reads what all nodes of a system add up, what they count, energy, cycles, and what
// they keep.
type Meter interface {
	// Mark is where everything stands now.
	Mark() Mark
	// Differ compares the bytes that nodes moved between two marks with those between two
	// others, and what made room in their stores: the difference as a part of all.
	Differ(a, b [2]Mark) schedule.Difference
	// Stores is what nodes kept at the second of two marks, and what came since the first.
	Stores(of [2]Mark) []schedule.Store
	// Repeat adds n times what came between two marks, as if it had happened n times more,
	// but no executor is busy beyond that time.
	Repeat(from, to Mark, n uint64, until units.Time)
}

// A Mark is a reading of a Meter: the counters of each node, and all that nodes keep.
type Mark struct {
	Counts []stats.Tally
	Held   []stats.Holding
}

// A Settler is a node whose cycles may go on for a little longer than the time of what was
// repeated; it brings them back to it.
type Settler interface{ Settle(until units.Time) }

// Settle is that of a node that is said to be at work up to a cycle for longer than it can be:
// it was idle for less.
func Settle(end, idle *uint64, until uint64) {
	if *end > until {
		n := min(*end-until, *idle)
		*end, *idle = *end-n, *idle-n
	}
}

// A Sampler is a Server that can take periods which repeat for what they took before.
type Sampler interface {
	Server
	// Sample lets it, once, before Start.
	Sample(Meter)
}

// A Repeating scheduler can take layers of a request that repeat for what they took before.
type Repeating interface {
	Scheduler
	// Repeat lets it, once, after Schedule of workloads with one request each, all at one time:
	// periods are those of their operators: those before the layers, each layer, those after them.
	Repeat(m Meter, periods []schedule.Shape)
}

// A Server is a node that makes workloads of requests while the run goes on: batches, one
// after the other.
type Server interface {
	system.Node
	system.Starter
	system.Worker
	// Executors are those that it is linked to, in the order of their names.
	Executors() []Executor
	// Serve gives it its requests, once, before Start.
	Serve(Service) error
	// Entries is how many keys and values its memory for them holds, after Serve.
	Entries() int
	// Instances is how many parts of the chips are servers of their own; 1: all are one.
	Instances() int
	// Tiers are its parts where it has several, by ranges of the memory section; nil: they
	// lie where the placement says. The server knows them before Serve, but for entries.
	Tiers() []Tier
}

// A Tier is a part of a server's memory for keys and values.
type Tier struct {
	Name    string        // of ranges of the memory section
	Entries int           // after Serve
	At      configs.Value // the entry of the configuration, for errors
}

// A Service is requests of a model, and what their batches consist of.
type Service struct {
	Name     string
	Requests []serving.Request
	// Entry is the bytes of the keys and values of one token, of all layers, on a chip that has
	// them. Keys is how many chips share those of a request by tokens: entry j is on chip j % Keys; 0: none.
	Entry uint64
	Keys  int
	Chips int // of an instance
	// Token is the bytes of a token between layers, and Mixtures how many layers have
	// several experts.
	Token    uint64
	Mixtures int
	// Batch makes the operators of a batch of an instance; they have the numbers of shares
	// that slot, 0 or 1, says. Batches of a slot of an instance follow each other.
	Batch func(b Batch, instance, slot int) ([]Part, error)
	// Move makes the operators that carry keys and values from one instance to another, by
	// the network interfaces of both; an instance has one Move under way at most. nil: none
	// is linked, or times are planned.
	Move func(Move) ([]Part, error)
	// Time is what batches of servers in lock step take if the executors do nothing else,
	// operators one after the other; instance is that of the first of them.
	Time func(all []Batch, instance int) (units.Time, error)
	// Portions divides Time by what executors do meanwhile; nil: it is not known. The server
	// calls it only in a run that records explanations of tasks.
	Portions func(all []Batch, instance int) []Portion
	// Send is what a Move takes if the interfaces and the network do nothing else; nil: no
	// interface is linked.
	Send func(Move) (units.Time, error)
	// Reads is how many reads of a tier the executors of an instance have measured, and what
	// they took together.
	Reads func(instance, tier int) (n uint64, took units.Time)
}

// A Portion is what operators of a batch take together.
type Portion struct {
	What string
	Time units.Time
}

// A Batch is the requests of a step in groups of equal ones. Those of a step that is padded
// are followed by a group of requests that attend to nothing but themselves (Padding).
type Batch struct {
	Groups  []zoo.Group
	Padding bool
	// At says where the keys and values of each group lie: the first entry of its
	// first request, in entries from the beginning of the memory for them.
	At []int
	// Spans say it of each group where the server's memory has tiers, in place of At: first
	// the entries that are written, then the others.
	Spans [][]serving.Span
	// From and To are blocks that go from one place to another while the batch computes.
	From, To []serving.Span
}

// A Move is keys and values that go from one instance to another: how many entries, and the
// first of them in the memory of each.
type Move struct {
	From, To     int // instances
	Entries      int
	FromAt, ToAt int
	// Reads and Writes say it where the server's memory has tiers, in place of FromAt and ToAt:
	// where all the entries lie in the memory of From, and in that of To.
	Reads, Writes []serving.Span
}

// A Part is what one chip does of a batch: a workload, and the share of each executor that
// may carry it out. Of a Move it is what a pair of chips does.
type Part struct {
	Workload
	Shares []Share // of the members of its places, in order
}
