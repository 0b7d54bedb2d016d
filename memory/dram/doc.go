// Package dram models DRAM with its banks and commands: node kind memory, fidelity bank.
// ExampleController runs one channel; a configuration makes a node (see Node).
//
// A Controller schedules the bursts of one channel. Its time is in clocks of the command bus.
// Channel, ranks, bank groups and banks each keep the first clock at which a command is allowed
// again, so that the controller steps from command to command, not from clock to clock.
//
// # Controller
//
// Per clock the controller accepts one burst and issues one command. Its priorities are: bursts
// whose row was opened for them; refreshes and precharges of the row policy; ready bursts, the
// oldest first (FR-FCFS). A row that was opened for a burst is not closed before its access. A
// burst leaves its place in the queue when its row is opened. Writes have priority from
// write_high waiting writes until write_low are left, and when no read waits. A read of an
// address with a waiting write is answered in the next clock. A write to an address with a
// waiting read is accepted after that read.
//
// A due refresh blocks the bursts of its banks until it is done; ranks refresh in turn.
//
// # Standards
//
// Package standard has the standards as data, one file each. Only the scheduler here and the
// checker in package buslog use timings.
//
// # Row hammer
//
// A defence (package hammer) sees the rows that bursts open. Its refreshes of neighbours and RFM
// commands come before other bursts of their banks, after the burst for which a row was opened. Reads
// and writes of counters are bursts of the controller itself, which are accepted before others and count in no
// latency. With a defence, or with rows counted, each channel has a controller of its own.
//
// # Power-down
//
// With power_down a rank without work for its banks goes to power-down or self-refresh (package power), after all other
// commands of that clock. Bursts and refreshes wake it, before others. Then each channel has a controller of its own. A refresh
// that falls due when a rank without work is about to refresh itself is left to it.
//
// # Error correction
//
// With ecc (package ecc) the controller has bursts of its own: inline check bits, what a write of a part of a burst leaves, and those of
// the scrubber. They are accepted before bursts of requests. A read is answered when its inline check bits have come. A
// write of a part of a burst is accepted after that burst was read, and holds the bursts that arrived after it. Then each channel has a
// controller of its own. The stages of a request that a run explains leave the wait for check bits out.
//
// # Agreement
//
// With equal tRFC and read_queue 361 of 367 runs take the same clocks as Ramulator 2.1: all
// reads, saturated ones included, all mixes with open rows of the second set (DDR5 under load,
// other seeds, blocks, streams, strides), and all of DDR5 with open rows. Six mixes with closed
// rows or refresh differ by less than 0.2%, others with closed rows by more (Deviation 9).
// peer_test.go has all runs (go test ./memory/dram -run Peers -peers).
//
// GDDR6, GDDR7, LPDDR5, LPDDR6, HBM3, HBM4 and DDR5-6400 were compared in 24 runs each with open rows:
// all are within 1.8% in time and latency (docs/model-memory.md has the runs). These rows are not kept.
//
// # Node
//
// Comp cuts requests of any size and alignment into bursts, spreads them over channels by the
// address map, and answers each request once: a read with its last beat, a posted write when its
// last burst is in the queues. Channels that have received the same bursts, as for lines of a
// cache with the channel in the lowest bits, share one controller. A request to some of them
// splits the group; the group merges when all are idle and in the same state. In a configuration:
//
//	{name: Mem, kind: memory, fidelity: bank, preset: ddr4_3200, row_policy: closed}
//
// read_latency_from_accept_mean counts from the entry of a burst into the queues,
// read_latency_from_arrival_mean from the arrival of its request at the node; both end with the
// last beat and leave out links.
//
// # Energy
//
// DDR3, DDR4, DDR5 and LPDDR5 follow Micron's power calculator, from currents in package
// standard. These are makers' maxima over process, voltage and temperature; typical chips take
// about half (Ghose et al., SIGMETRICS 2018). HBM2 has energies of activations, reads and writes
// (O'Connor et al., MICRO 2017), but none of refresh and background. HBM2E, HBM3 and HBM3E take the
// same, since nothing better is published, and the result says so. LPDDR4 and GDDR6 have one
// published energy per bit of streams, whatever the pattern. LPDDR6, GDDR7 and HBM4 have no energy:
// data sheets with their currents are not public, and the figures in open simulators name no source.
//
// # Left out
//
// Refresh of pairs of banks (LPDDR5), errors and what chips correct inside (on-die ECC),
// calibration. Of row hammer see package hammer: an alert is answered at once, and PRAC takes no
// longer timings by itself. Data, unless functional: true. Energy of several memories: see Energy.
//
// # Deviations
//
//  1. From Ramulator 2.1: tRFC1 of an 8 Gbit DDR4 die is 350 ns, 560 clocks at
//     DDR4-3200, as the standard and DRAMsim3 have it; Ramulator takes 576.
//  2. From DRAMsim3: a read is done with the last beat; DRAMsim3 counts one clock more. It moves
//     requests from a queue of 32 into one of 8 per bank, so under saturation it holds more
//     requests and latencies from acceptance are longer; also after a refresh, where latencies
//     from arrival agree. The presets of DDR4 schedule among 38 reads, between DRAMsim3's queues
//     and the 32 of Ramulator: up to 80% of the highest bandwidth all rows are within 6% of both,
//     from arrival and from acceptance, but for the bank group in the lowest bits, where from
//     acceptance DRAMsim3 is up to 19% longer. read_queue: 32 is Ramulator to the clock.
//  3. From JESD79-5: tFAW of DDR5 up to 6400 MT/s is 20 ns as in Ramulator; the standard allows
//     32 clocks, but not less than 13.3 ns, for chips of 1 KiB pages. DDR5-8800 has that.
//  4. A write is never accepted before a waiting read of the same place is
//     served; the peers let it overtake (Ramulator) or hold the queue (DRAMsim3).
//  5. An access does not close a row by auto precharge while another burst, for
//     which the row was opened, waits for its access.
//  6. The two pseudo channels of HBM share command buses; here each has its own, and an
//     activation of HBM3 and HBM4 takes 2 slots, not 1.5. Stack identifiers are ranks of HBM4 and are
//     not distinguished in HBM2 and HBM3.
//  7. LPDDR5: ACT-1 and ACT-2 follow each other at once. With wck: on_access the data clock stops
//     by itself after an access, as in the standard's other mode; CAS commands that start it
//     ahead for several ranks, or stop it (WS_FS, WCK_OFF), are not used.
//  8. The standards of HBM have no timings; see the assumptions in package standard.
//  9. From Ramulator with closed rows, where reads and writes of one row wait together: there an
//     access may get an auto precharge while another burst waits for the row that was opened for
//     it, and the row is opened twice. Blocks of 256 B with every second access a write take 14%
//     longer there on DDR4-3200 and 21% on DDR5-4800; with that one check added to Ramulator,
//     1.6% and 4%.
//  10. From Micron's calculator: the current IDD3N of DDR5 is divided by open banks, see
//     Energies; with one or all banks open the two agree.
//  11. From Ramulator 2.1: a write of GDDR6 and GDDR7 follows a read so that its data follow those of
//     the read; there GDDR6 counts from CL alone, and GDDR7 has 12 clocks for the 24 of its rule. A
//     refresh of one bank of HBM4 keeps others from opening rows for tRREFD, which is more than tRRD_L.
package dram
