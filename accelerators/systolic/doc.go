// Package systolic is a systolic core: an array of processing elements, three
// double-buffered SRAMs, a vector unit, and a DMA engine between the buffers and
// a memory port. Node kind systolic, fidelities tile and analytic.
//
//	{name: Core, kind: systolic, rows: 128, cols: 128, dataflow: ws, clock: 940MHz,
//	 sram: {ifmap: 2MiB, filter: 2MiB, ofmap: 2MiB}, dma: {burst: 4KiB, outstanding: 16}}
//
// What is computed in which order comes from accelerators/mapping: a program is
// a list of jobs (operators, or a core's share of them), a job a list of steps,
// and a step has loads, cycles of compute, and stores.
//
// # The schedule
//
// The order of everything is fixed before the run; memory only decides when.
//
//   - The DMA engine has one queue of transfers per job: L0, L1, S0, L2, S1, L3,
//     and so on (loads and stores of steps). S(i-2) and L(i) may go once step i-2
//     has computed: its half of each buffer is free then.
//   - A transfer is cut into bursts: runs of bytes that touch are one, cut where
//     the address is a multiple of dma.burst and where another memory begins. The
//     engine issues at most one burst per cycle, in order, and never has more
//     than dma.outstanding without an answer, reads and writes together.
//   - Step i computes when step i-1 has, all its loads have come and, where it
//     has none, all bursts before it in the queue have been issued.
//   - A job ends when every request is answered; the next one begins in that
//     cycle. Nothing of the next job is loaded before; with on_chip: all, weights are
//     (ahead.go).
//
// In one cycle answers are taken in, then steps end and start, then a burst is
// issued. Every start is a maximum of earlier events plus a constant, so a later
// answer never makes anything earlier: a slower memory is never better.
//
// # Fidelities
//
// Tile sends every burst as a request (mem.ReadReq, mem.WriteReq with a
// *memory.Hint) and goes on as answers come; it has events only in cycles in
// which something happens. Analytic computes the same instants from the nominal
// latency and bandwidth in its address map, burst by burst, skipping stretches
// that repeat; it needs no events but for signals and the end. In front of
// memory/ideal, with a link that has no bandwidth limit and for one core, both
// agree in every cycle of every layer and in every cause; in front of another
// memory analytic takes its nominal figures for granted. Each of several analytic cores
// computes as if it were the only user of the memory.
//
// # Causes
//
// Every cycle of a layer has one cause: compute; wait_ifmap, wait_filter,
// wait_ofmap (idle until the piece of the next step that comes first, then the
// next one, has come); store (results must leave first, and the end of a layer);
// dependency (another core is not done). They add up to the layer's cycles, and
// layers plus idle cycles (no workload has arrived) and stall_network (a transfer is under way
// whose result the next operator reads) to total_cycles.
//
// Compute is divided once more, averaged over the processing elements: useful
// multiply-accumulates, mapping loss, fill and drain (dataflow.Parts). Cycles in which
// the vector unit works alone count as mapping loss of the array. Both fidelities take
// the parts from the plan of the layer.
//
// # Energy and area
//
// A core owns what is inside it: array, vector unit, buffers. What its bursts cost in a
// cache or a memory is theirs.
//
// # Several cores
//
// A job waits until the jobs of other cores that it comes after are done: a core reports
// the end of a job that others wait for to the issuer of its share, and that tells them
// (workloads/player/issue Ahead), one cycle each way. Everything else of the program is known
// before the run, so that a layer begins in the cycle in which the one before ends.
//
// # SCALE-Sim
//
// With timing scalesim a layer takes what SCALE-Sim v3 says
// (accelerators/peers/scalesim); there is no memory, no vector unit and no mapping.
// scalesim_dram adds the tool's DRAM columns. Groups and batches count as that
// many equal layers; other operators than matrix products take no time.
//
// # Left out
//
// Loading of the next layer while this one ends, but for weights (ahead.go). Bank conflicts in the buffers.
// Instruction fetch. Sparsity under timing physical. A layer's energy counts
// operand widths, not values.
//
// # Deviations
//
//  1. Energy of partial sums takes the accumulator that goes with the inputs
//     (int32 or fp32), unless the node says accumulator: the workload's own
//     choice is not known here.
//  2. SCALE-Sim's utilisations of a layer done several times (groups) are those
//     of one of them; the tool has no such rows.
//
// # Sources
//
// Jouppi et al., In-Datacenter Performance Analysis of a Tensor Processing Unit,
// ISCA 2017. Samajdar et al., A Systematic Methodology for Characterizing
// Scalability of DNN Accelerators using SCALE-Sim, ISPASS 2020.
package systolic
