// Package energy turns counts of events into energy: so many picojoules per
// multiply-accumulate, per byte of an SRAM, per byte of a DRAM. It holds published
// figures and does arithmetic; which node counts what is that node's business. Every
// joule has one owner:
//
//   - a core: its array, its vector unit, its buffers (Model);
//   - a cache: its data array (SRAMByte);
//   - a memory: its DRAM, by commands (memory/dram) or by bytes (Memory);
//   - a link of packets and the node above a CXL link: its wires, by bits (Link);
//   - a network: its routers and channels, by bytes and hops (Router).
//
// A Spec picks a process and may override each figure; a Model is the Spec with
// every figure settled for one core:
//
//	m, err := energy.New(energy.DefaultSpec(), graph.Int8, [3]units.Bytes{2 << 20, 2 << 20, 2 << 20})
//	b := m.Energy(counts)
//	fmt.Println(b.Total(), "pJ")
//
// # The figures
//
// Arithmetic and SRAM are the two columns of one published table, 45 nm and
// 7 nm; there is no scaling in between and none beyond: a process that is not
// listed is written as overrides. A multiply-accumulate is one multiplication
// plus one addition in the width of the accumulator (32 bits). An SRAM byte is
// an eighth of a 64-bit access, by capacity: straight lines between 8 KiB,
// 32 KiB and 1 MiB in log-log, below 8 KiB as 8 KiB, above 1 MiB with the square
// root of the capacity (assumption: the wires across the array dominate). DRAM
// is array, data path and pins together, without background power. A link takes its
// figure for every bit that flits take on the wire, headers, credits and repetitions
// included; a network for every byte of flits at every router.
//
// # Left out
//
// Leakage and clock tree and the registers that skew operands beside a systolic array
// (unless a figure is given: cycle, skew_byte), refresh and background power of DRAM counted by bytes,
// control, tags, the difference between reading and writing an SRAM,
// data-dependent switching, zero skipping; links that idle, which take nearly as much as
// those that carry; controllers of CXL, translation of tiering, units of hosts and
// devices near memory, whole chips (kind roofline, but for a power while it works), networks between chips: nothing is
// published that a hop or a byte of them takes, and they have no energy model unless the
// configuration gives a figure.
//
// # Sources
//
//   - Horowitz, Computing's Energy Problem, ISSCC 2014, figure 1.1.9: 45 nm, 0.9 V.
//   - Jouppi et al., Ten Lessons From Three Generations Shaped Google's TPUv4i,
//     ISCA 2021, table 2: 45 nm against 7 nm, and DRAM.
//   - O'Connor et al., Fine-Grained DRAM, MICRO 2017, section 2: HBM2 and GDDR5.
//   - NVIDIA, What Is NVLink?, 2023: NVLink 4, and PCIe 5 against it.
//   - McKeown et al., Power and Energy Characterization of an Open Source 25-core
//     Manycore Processor, HPCA 2018, figure 12: a network on a chip.
//
// Read again in works that quote them: Horowitz (all of it), Dally's areas, HBM2, cells
// of SRAM, Piton, NVIDIA. Of Jouppi, table 2, and GDDR5 no quotation was found: they
// stand as they were noted.
package energy
