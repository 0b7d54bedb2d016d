// Package energy converts counts of events into energy, by published figures per
// multiply-accumulate, byte of SRAM, byte of DRAM and bit of a link. Energies are in picojoules,
// areas in mm2, powers in watts. An unknown process or type is an error that lists the known ones.
// Nodes do the counting, and every joule is counted by one node:
//
//   - a core: its array, its vector unit, its buffers (Model);
//   - a cache: its data array (SRAMByte);
//   - a memory: its DRAM, by commands (memory/dram) or by bytes (Memory);
//   - a link of packets and the node above a CXL link: its wires, by bits (Link);
//   - a network: its routers and channels, by bytes and hops, and at rest (Router);
//   - a network interface: by bytes and at rest (NIC);
//   - a processor core: its instructions (Core).
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
// Arithmetic and SRAM are the two columns of one published table, 45 nm and 7 nm. No source
// publishes such a column for 15 nm: each of its figures lies on the straight line between the
// two, logarithm over logarithm of the feature size. Some published figures near 15 nm are lower:
// Dally et al. 2020 have 50 fJ a bit of a small SRAM at 14 nm (here 132), and the rule of
// Stillmaker and Baas 2017 scales energy from 45 nm to 16 nm by 0.14, where the line has 0.52 for
// int8; but by that rule 7 nm would be six times below the published value. There is no other
// scaling: write the figures of another process as overrides. A multiply-accumulate is one
// multiplication plus one addition in the width of the accumulator (32 bits). The energy of an
// SRAM byte is an eighth of that of a 64-bit access and depends on the capacity; accesses of other
// widths scale with their bits. It lies on straight lines in log-log between a register file of
// 128 B, 8 KiB, 32 KiB and 1 MiB, the first one also below 128 B; above 1 MiB it grows with the
// square root of the capacity (assumption: the wires across the array dominate). DRAM is array,
// data path and pins together, without background power. A link takes its figure for every bit
// that flits take on the wire, headers, credits and repetitions included; a network for every byte
// of flits at every router. A wire on a chip takes its figure per bit and millimetre, at random
// data.
//
// # Area and static power
//
// An area is that of multipliers and adders by type (MACArea), of registers by bit
// (RegisterArea), of the cells of SRAM by capacity (SRAMArea). Arithmetic and registers leak by
// their area (Static), at room temperature in the typical corner; a hot chip leaks several
// times as much. The figures stand with their sources in areas and leaks.
//
// # Left out
//
// Leakage of SRAM, the clock tree and the switching of the registers that skew operands beside a
// systolic array (unless a figure is given: cycle, skew_byte), refresh and background power of DRAM counted by bytes,
// control, tags, the difference between reading and writing an SRAM,
// data-dependent switching, zero skipping; CXL links that idle, which take nearly as much as
// those that carry; the logic of CXL controllers, translation of tiering, units of hosts and
// devices near memory: they have no energy model unless the configuration gives a figure.
//
// # Sources
//
//   - Horowitz, Computing's Energy Problem, ISSCC 2014, figure 1.1.9: 45 nm, 0.9 V.
//
//   - Jouppi et al., Ten Lessons From Three Generations Shaped Google's TPUv4i,
//     ISCA 2021, table 2: 45 nm against 7 nm, and DRAM.
//
//   - Han et al., Learning both Weights and Connections, NIPS 2015, figure 1: 45 nm, a 32-bit
//     register file.
//
//   - Keckler et al., GPUs and the Future of Parallel Computing, IEEE Micro 31(5), 2011,
//     table 1: wires at 40 nm. Dally, Turakhia, Han, Domain-Specific Hardware Accelerators,
//     CACM 63(7), 2020: wires at 14 nm, LPDDR4.
//
//   - O'Connor et al., Fine-Grained DRAM, MICRO 2017, section 2: HBM2 and GDDR5.
//
//   - NVIDIA, What Is NVLink?, 2023: NVLink 4, and PCIe 5 against it.
//
//   - Das Sharma et al., Hot Interconnects 2025: UCIe by package and rate.
//
//   - McKeown et al., Power and Energy Characterization of an Open Source 25-core
//     Manycore Processor, HPCA 2018, figure 12: a network on a chip.
//
//   - Shao, Reagen, Wei, Brooks, Aladdin, ISCA 2014, with the power model of its release: registers
//     and leakage at 40 nm.
//
//   - Clark et al., ASAP7: A 7-nm FinFET predictive process design kit, Microelectronics Journal
//     53, 2016, with its library of cells: registers and leakage at 7 nm.
//
//   - Stillmaker and Baas, Scaling equations for the accurate prediction of CMOS device
//     performance from 180 nm to 7 nm, Integration 58, 2017, table of area factors.
//
// Read again in works that quote them: Horowitz (all of it), Dally's areas, HBM2, cells
// of SRAM, Piton, NVIDIA, Keckler, Dally 2020. Of Jouppi, table 2, and GDDR5 no quotation was found: they
// stand as they were noted.
package energy
