package kernel

import "github.com/causeway-sim/causeway/accelerators/curve"

// A Machine is what the times of kernels follow from, for one element type and one
// type of operator. Times are in seconds, sizes in bytes.
type Machine struct {
	SMs   int     // streaming multiprocessors, or compute units
	Clock float64 // Hz

	// Per SM and clock: multiply-accumulates of the matrix units, operations of the
	// vector units, bytes between an SM and its shared memory.
	Tensor, Vector, Shared float64
	Exponentials           float64 // of the special function units, per SM and clock; 0: the vector units compute them
	SharedSize             float64 // of one SM
	Threads                float64 // that an SM holds at a time
	// Group: four warps work on one instruction of the matrix units, whose operands they
	// read from shared memory once, and clusters of two thread blocks load a panel
	// together (Hopper); else each warp reads its own.
	Group bool

	L2          float64 // 0: there is none
	L2Bandwidth float64 // bytes per second, of all of it
	Memory      float64 // bytes per second that streams reach
	Latency     float64 // of a load from memory
	Near        float64 // of a load from the L2
	// Resident is the share of the L2 that holds operands which the kernel before has
	// left; 0: caches are cold. WriteBack is the share that takes results of a stream,
	// which reach memory later.
	Resident, WriteBack float64

	// Rereads: operands of products come from memory again where rounds of tiles bring more
	// than the L2 holds, in which results take room but with Bypass. Behind is the
	// bandwidth at which bytes move if tiles are chosen for another one, Memory; 0: they are not.
	Rereads, Bypass bool
	Behind          float64

	Sustained float64 // share of the matrix units' peak while all SMs work
	Issue     float64 // share of its own peak that one SM reaches in a tile's main loop
	Launch    float64 // before the kernel begins
	Least     float64 // time of the kernel at the least

	Tuning
}

// Tuning is what does not follow from data sheets and is alike on many machines.
type Tuning struct {
	// Overlap is the exponent of the norm that joins the time of the main loops and
	// that of bytes: infinite would be their maximum, 1 their sum.
	Overlap float64
	// Hide is the warps on an SM with which the matrix units reach half of what they
	// reach with many.
	Hide float64
	// Fill is the time around a tile's main loop, in latencies of memory.
	Fill float64
	// Wait is the time that a step of a main loop waits for its operands, in latencies of
	// memory over the steps that are under way: what is not hidden by other warps.
	Wait float64
	// Split is the time that joining partial sums takes besides their bytes.
	Split float64
	// Choice is how much worse than the best a tile may be to be chosen nearly as
	// often, over 0.
	Choice float64
}

// A Cost is the time of a kernel and what it is made of.
type Cost struct {
	Total   float64 // Launch included
	Launch  float64
	Compute float64 // of the SMs alone
	Memory  float64 // of the bytes alone, from memory or the L2
	// Waits is the time outside Launch and Compute that neither more SMs nor more bandwidth shortens: the
	// latency of the first bytes, results that leave last, parts of sums that are joined, up to the least of a kernel.
	Waits float64
	// Stalled is the time of Compute in which SMs wait for the latency of operands.
	Stalled float64
	Bytes   float64 // from and to memory
	Late    float64 // bytes of results that stay in the L2 for now, which Bytes lacks
	Near    float64 // bytes between the L2 and the SMs; 0: those of Bytes and Late
	Kept    float64 // of Bytes, those that the L2 had
	Sent    float64 // bytes that leave over links to other chips
	Busy    float64 // of the SMs at the full clock; 0: Compute
	Share   float64 // of the full clock, of a chip at its power limit; 0 is 1
	Free    Free    // what is done before the limit binds
	// Paces is set where the clock of a whole workload is sought.
	Paces *Paces
	// Slow is Total - Launch by the slowness of a memory that is simulated elsewhere, if it is.
	Slow    curve.Curve
	Tile    Tile   // of a product
	Rounds  int    // of its tiles
	Library string // whose kernel it is; empty: of this package
	Kernels int    // that are launched one after the other; 0 is 1
}

// Clocks is the number of clocks that the clock of a workload is sought among, at a time.
const Clocks = 17

// Paces are the time of a kernel at lower and lower clocks, in seconds, and its energy there in picojoules.
type Paces struct{ Seconds, Energy [Clocks]float64 }

// Free is the part of a kernel's work that is done at the clock of a burst, before a power limit binds. Quick and Slow
// are the times of the whole kernel as a burst and held at the limit, over its time.
type Free struct{ Part, Quick, Slow float64 }

// Mix is a kernel of which a part is done as a burst and the rest held, as held is.
func Mix(part float64, burst, held Cost) Cost {
	out := held
	for _, x := range [][3]*float64{{&out.Total, &burst.Total, &held.Total}, {&out.Launch, &burst.Launch, &held.Launch}, {&out.Compute, &burst.Compute, &held.Compute},
		{&out.Memory, &burst.Memory, &held.Memory}, {&out.Waits, &burst.Waits, &held.Waits}, {&out.Stalled, &burst.Stalled, &held.Stalled}} {
		*x[0] = part**x[1] + (1-part)**x[2]
	}
	if out.Total > 0 {
		out.Free = Free{Part: part, Quick: burst.Total / out.Total, Slow: held.Total / out.Total}
	}
	return out
}

// Counts makes what a kernel does, the time of the SMs at the full clock included, that of the same kernel at that
// clock. Libraries choose its tiles for that clock.
func (c *Cost) Counts(full *Cost) {
	c.Bytes, c.Late, c.Near, c.Kept, c.Sent = full.Bytes, full.Late, full.Near, full.Kept, full.Sent
	if c.Busy = full.Busy; c.Busy == 0 {
		c.Busy = full.Compute
	}
}

// Stretch makes a kernel take longer on a chip that skips cycles.
func (c *Cost) Stretch(by float64) {
	for _, x := range []*float64{&c.Total, &c.Launch, &c.Compute, &c.Memory, &c.Waits, &c.Stalled} {
		*x *= by
	}
}

// Apply is the cost of a kernel that applies so many operations of the vector units to its results
// before it writes them. Tiles are at different places, so that they overlap with its loops.
func (m *Machine) Apply(c Cost, ops float64) Cost {
	if ops == 0 {
		return c
	}
	own, vector := c.Total-c.Launch, ops/(m.Vector*m.Clock*float64(m.SMs))
	c.Total, c.Compute = c.Launch+m.join(own, vector, 0), m.join(c.Compute, vector, 0)
	return c
}

// perSM is the bytes per second that one SM can load from memory.
//
// assumption: 64 KiB are in flight.
func (m *Machine) perSM() float64 { return 64 << 10 / m.Latency }

// left is the bytes of reads that the kernel before has left in the L2.
func (m *Machine) left(reads float64) float64 { return min(reads, m.Resident*m.L2) }

// taken is the bytes of writes that stay in the L2 when the kernel has ended.
func (m *Machine) taken(writes float64) float64 { return min(writes, m.WriteBack*m.L2) }
