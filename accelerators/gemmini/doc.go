// Package gemmini carries out the instruction stream of Gemmini, a weight-stationary systolic
// accelerator that a generator makes: the tiles that its library chooses, the state machines that
// unroll a tile into commands, the reservation station, the three controllers, the two DMA
// engines, and the caches below them. It is arithmetic: a machine, a layer and a tiling give
// cycles.
//
//	m := gemmini.Default()
//	l := gemmini.Convolution(gemmini.Conv{Batch: 1, InRows: 56, InCols: 56, Channels: 64, OutRows: 56, OutCols: 56,
//		Filters: 64, KernelRows: 3, KernelCols: 3, Stride: 1, PadUp: 1, PadLeft: 1})
//	tiling, start := l.Own(&m)
//	result := gemmini.NewStream(&m).Run(l, tiling, start)
//
// # Tiles
//
// The library's product starts with square tiles and lets them grow; its convolution starts with
// the whole and takes away until it fits into half of both memories (conv.go, matmul.go). The search of the
// convolution is done by the processor at run time, and its cycles count. A mapping in Timeloop's
// notation gives the sizes of a tile and the order of the loops over tiles (mapping.go); what a
// tile does inside is up to the hardware.
//
// # The accelerator
//
// Two loops, each a tile, are unrolled at a time (unroll.go). Five state machines of a loop clear
// accumulators, load weights, load inputs, execute and store; one command leaves per cycle, stores
// first. In a convolution execution begins once all loads were sent, and stores once all steps
// were; a product goes on as soon as its blocks are there.
//
// The reservation station (station.go) issues each of its three queues in order, and holds a
// command until those that touch the same rows are complete. A step of the array (execute.go) is a
// compute together with the preload after it: 16 cycles with new weights, otherwise the rows of
// the compute, at least 4. At most six steps are in the array, so that steps of few rows wait. A
// write of the scratchpad stops a read of the same bank for a cycle.
//
// A load or store has a request per row of up to 64 bytes (load.go, store.go). Each engine has 16
// requests and two commands in flight. Padding is written by the accelerator itself.
//
// # Memory
//
// Behind the engines are a shared cache of 512 KiB, and the memory model of FireSim: a last level
// cache of 4 MiB with blocks of 128 bytes, whose one state machine does one thing after another,
// and DRAM (memory.go). Both caches replace at random. A request of the last level to a set that
// waits for the DRAM stops all requests after it.
//
// # Speed
//
// A cycle in which nothing changes is skipped, and blocks of weights whose start finds the machine
// in the same state are done at once (skip.go); results are those of every cycle.
//
// # Left out
//
// Pooling, activations beyond the store path, norms and softmax on the accelerator; output
// stationary products; the downsampling and first-layer options of the convolution; pages and
// their translation (the measured programs run without); instruction fetch of the processor.
//
// # Deviations
//
//  1. Cycles of the processor (Software) are constants: Probe was fitted (configs/studies/gemmini),
//     Start and Loop are assumptions. A tile takes thousands of cycles, so that Loop hardly shows.
//  2. Memory.Hit was fitted; Memory.SameSet and Below.Latency are assumptions, of the pipeline of
//     the cache and of DDR3's times (tRCD and tCAS of 14 cycles each, and the controller).
//  3. A refill of the last level holds its state machine when the miss is sent, not when it comes.
//  4. DRAM has no banks or rows: every block takes the same time.
//  5. A mapping that splits channels outside of the loops over results is carried out as it was
//     measured: partial sums are neither stored nor fetched, so results would be wrong.
//  6. Groups, depthwise ones among them, and batches of products are separate calls of the library;
//     the generator has a state machine of its own for depthwise convolutions.
//
// # Sources
//
// Genc et al., Gemmini: Enabling Systematic Deep-Learning Architecture Evaluation via Full-Stack
// Integration, DAC 2021. Hong et al., DOSA: Differentiable Model-Based One-Loop Search for DNN
// Accelerators, MICRO 2023. Sizes and rules: the generator and its library as measured there
// (charleshong3/gemmini-dosa 67ca2f9, ucb-bar/gemmini-rocc-tests 959b23f), SiFive's inclusive cache,
// and FireSim's FASED memory model (charleshong3/firesim-dosa 2857e1a).
package gemmini
