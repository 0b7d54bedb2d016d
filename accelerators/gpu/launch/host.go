package launch

// A Host launches kernels one after the other, ahead of the GPU. Times are in cycles of the GPU.
// The zero value launches in no time, as a graph does:
//
//	h := launch.Host{Each: 4000}              // 4 us at 1 GHz
//	wait := h.Launch(1, gpuFree, kernelCycles) // cycles that the GPU idles before the kernel ends
type Host struct {
	Each uint64 // cycles that the host takes to launch one kernel

	free           uint64 // when it has launched the last kernel
	share, request int32  // that it launches kernels of
	known          bool
}

// Came tells the host that a request arrived in this cycle: the host launches no kernel of the request
// earlier. Further operators of the same request change nothing.
func (h *Host) Came(share, request int32, cycle uint64) {
	if h.known && h.share == share && h.request == request {
		return
	}
	h.known, h.share, h.request = true, share, request
	h.free = max(h.free, cycle)
}

// Launch launches the n equal kernels of an operator. The GPU is free from cycle free on, and the kernels
// together compute for cycles. wait is how long the GPU idles because a kernel is not launched yet.
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

// Skip moves the host's clock ahead by cycles that are not simulated. The host's lead over the GPU stays.
func (h *Host) Skip(cycles uint64) { h.free += cycles }

// Steady returns the cycles of an operator that is repeated many times: the longer one of its n launches
// and its kernels.
func (h *Host) Steady(n int, cycles uint64) uint64 { return max(cycles, uint64(n)*h.Each) }
