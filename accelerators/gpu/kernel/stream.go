package kernel

import "math"

// A Stream is a kernel that reads and writes elements in order: elementwise
// operators, copies, gathers, sums.
type Stream struct {
	Read, Write float64 // bytes
	Cold        float64 // bytes of Read that the kernel before has not left, whatever the L2 holds
	Again       float64 // bytes that are read once more, from memory
	Near        float64 // bytes that are read once more, from the L2
	Elements    float64 // that threads have one each of: of the result, or of what is summed
	Ops         float64 // operations of the vector units
	// Blocks is the thread blocks that share the work; 0 means as many as there is work
	// for, of blockElements each.
	Blocks float64
	// Threads is how many a block has, so that an SM holds few blocks at a time, and Block
	// the time that a block takes by itself; 0: neither counts.
	Threads, Block float64
	// Serial is the loads of a kernel whose threads wait for each of them in turn.
	Serial float64
}

// blockElements is what one thread block of an elementwise kernel does: 256 threads of
// 4 elements.
const blockElements = 1024

// Stream is the cost of a stream.
func (m *Machine) Stream(s Stream) Cost {
	bytes := s.Read + s.Again + s.Write
	blocks := s.Blocks
	if blocks == 0 {
		blocks = math.Ceil(s.Elements / blockElements)
	}
	sms := min(float64(m.SMs), max(blocks, 1))
	near := bytes + s.Near
	late := m.taken(s.Write)
	outside := bytes - m.left(s.Read-s.Cold) - late
	compute := s.Ops / (m.Vector * m.Clock * sms)
	memory := max(outside/min(m.Memory, sms*m.perSM()), near/min(m.L2Bandwidth, sms*m.perSM()))
	if m.L2 == 0 {
		memory = near / min(m.Memory, sms*m.perSM())
	}
	time := m.Latency + m.join(compute, memory, 0) + s.Serial*m.Near
	if s.Threads > 0 {
		time = max(time, m.join(m.rounds(blocks, s.Threads)*s.Block, memory, compute))
	}
	c := Cost{Total: m.Launch + max(m.Least, time), Launch: m.Launch, Compute: compute, Memory: memory, Bytes: outside, Late: late, Near: near}
	m.wait(&c)
	return c
}

// wait sets what a kernel waits for latency: the time that operations and bytes do not take.
func (m *Machine) wait(c *Cost) {
	c.Waits = max(c.Total-c.Launch-m.join(c.Compute, c.Memory, 0), 0)
}

// Rows are vectors that a kernel folds and then writes again, one thread block each:
// normalisations and softmax.
type Rows struct {
	Rows, Cols float64
	Bytes      float64 // of an element
	Ops        float64 // operations of the vector units in all
	// Reads and Writes are tensors of Rows x Cols.
	Reads, Writes float64
	// Cold is tensors of Reads that the kernel before has not left.
	Cold float64
	// Passes is how often an operand is read where it does not stay on chip.
	Passes float64
	// Threads is how many a row has, which is a thread block of its own, however short;
	// 0: short rows share one.
	Threads float64
}

// rowsPerSM is the thread blocks of 128 threads that an SM of 2,048 threads has at a
// time: so many rows are between their first pass and their last.
const rowsPerSM = 16

// rounds is how often the SMs fill with blocks of so many threads.
func (m *Machine) rounds(blocks, threads float64) float64 {
	return math.Ceil(blocks / (float64(m.SMs) * max(1, math.Floor(m.Threads/threads))))
}

// Rows is the cost of rows.
func (m *Machine) Rows(r Rows) Cost {
	one := r.Rows * r.Cols * r.Bytes
	read, again := one*r.Reads, 0.0
	// Rows at hand that do not fit into the L2 are read again by every later pass.
	if held := min(rowsPerSM*float64(m.SMs), r.Rows) * r.Cols * r.Bytes * r.Reads; m.L2 > 0 && held > m.L2 && r.Passes > 1 {
		again = read * (r.Passes - 1) * min(2*(held/m.L2-1), 1)
	}
	c := m.Stream(Stream{Read: read, Cold: one * r.Cold, Again: again, Write: one * r.Writes, Elements: r.Rows * r.Cols, Ops: r.Ops, Blocks: r.Rows})
	if r.Threads > 0 { // load, sum and store of a block follow each other
		rounds := m.rounds(r.Rows, r.Threads)
		c.Total = max(c.Total, m.Launch+max(m.Least, m.join(rounds*m.Latency, c.Memory, c.Compute)))
		m.wait(&c)
	}
	return c
}
