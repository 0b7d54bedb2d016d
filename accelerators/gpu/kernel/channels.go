package kernel

// Channels are vectors that are summed up before they are written, one thread block each,
// and too long to be kept: batch normalisation in training and its backward pass.
type Channels struct {
	Channels float64 // thread blocks
	Elements float64 // of the result
	// Read and Write are bytes of the operands and of the result. Operands are read
	// twice: for the sums, and for the result.
	Read, Write float64
	Ops         float64 // operations of the vector units
}

// channelLoads is the bytes that a thread block of a channel has in flight.
//
// assumption: 1,024 threads wait for 16 bytes each; two such blocks fill an SM.
const channelLoads = 1024 * 16

// Channels is the cost of channels. Few of them cannot keep the memory busy: each block's
// bytes wait for the latency of its loads.
func (m *Machine) Channels(c Channels) Cost {
	cost := m.Stream(Stream{Read: c.Read, Again: c.Read, Write: c.Write, Elements: c.Elements, Ops: c.Ops, Blocks: c.Channels})
	blocks := min(c.Channels, 2*float64(m.SMs))
	waits := (2*c.Read + c.Write) / (blocks * channelLoads / m.Latency)
	cost.Memory = m.join(waits, cost.Memory, 0)
	cost.Total = m.Launch + max(m.Least, m.Latency+m.join(cost.Compute, cost.Memory, 0))
	m.wait(&cost)
	return cost
}
