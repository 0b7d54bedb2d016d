package launch

// A Host launches kernels one after the other, ahead of the GPU. Times are in cycles of the GPU.
// The zero value launches in no time, as a graph does.
type Host struct {
	Each uint64 // of a launch

	free           uint64 // when it has launched the last kernel
	share, request int32  // that it launches kernels of
	known          bool
}

// Came says that an operator of a request came in a cycle: the host launches no kernel of a
// request before it has come.
func (h *Host) Came(share, request int32, cycle uint64) {
	if h.known && h.share == share && h.request == request {
		return
	}
	h.known, h.share, h.request = true, share, request
	h.free = max(h.free, cycle)
}

// Launch launches an operator of n equal kernels that together take so many cycles, where the GPU
// is free from a cycle on. wait is the cycles that the GPU waits for launches.
func (h *Host) Launch(n int, free, cycles uint64) (wait uint64) {
	if h.Each == 0 || n == 0 {
		return 0
	}
	first := h.free + h.Each
	h.free += uint64(n) * h.Each
	// Each kernel begins after its launch and after the kernel before it; of equal kernels the
	// first launch or the last one decides.
	end := max(free+cycles, first+cycles, h.free+cycles/uint64(n))
	return end - free - cycles
}

// Skip lets cycles pass in which the host and the GPU went on as before.
func (h *Host) Skip(cycles uint64) { h.free += cycles }

// Steady is the cycles of an operator in a long row of the same: the host's or the GPU's,
// whichever is longer.
func (h *Host) Steady(n int, cycles uint64) uint64 { return max(cycles, uint64(n)*h.Each) }
