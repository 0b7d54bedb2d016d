// Package dram is bank-accurate DRAM: kind memory, fidelity bank.
//
// A Controller schedules the bursts of one channel. Its time is in clocks of
// the command bus, but it does no work per clock: every node of the tree
// channel, rank, bank group, bank knows the first clock at which each command is
// allowed again, and the controller goes from command to command.
//
// # Controller
//
// Per clock one burst is accepted and one command goes out. Commands are for, in
// this order: bursts whose row was opened for them; refreshes and rows that the
// row policy closes; of the waiting bursts those that are ready, the oldest
// first (FR-FCFS). A row that was opened for a burst is not closed before its
// access. A waiting burst leaves its place in the queue when its row is opened.
// Writes go first when many wait, until few are left, and when no read waits. A
// read of what a waiting write brings is answered in the next clock; a write to
// what a waiting read asks for is not accepted before that read is served.
//
// A refresh that is due keeps the bursts of its banks back until it is done;
// ranks take turns.
//
// # Standards
//
// Package standard has the standards as data, one file each. The scheduler here and the
// checker in package buslog both read them, and nothing else knows about timing.
//
// # Agreement
//
// With tRFC and read_queue set to the same values, Ramulator 2.1 is met to the clock on 361 of 367
// rows: on all reads, saturated ones included, on all mixes with open rows of the
// second set (DDR5 under load, other seeds, blocks, streams, strides), and on all of
// DDR5 with open rows; six mixes with closed rows or refresh differ by less than
// 0.2%, others with closed rows by more: see Deviation 9. See peer_test.go for all
// rows of both peers (go test ./memory/dram -run Peers -peers).
//
// # Node
//
// Comp cuts requests of any size and alignment into bursts, spreads them over
// channels by the address map, and answers each request once: a read with its
// last beat, a posted write when its last burst is in the queues. It wakes only
// when something arrives or may be due. Channels to which all bursts so far came alike,
// as the lines of a cache do where the map has the channel lowest, share one controller:
// what one does, all of them do. Requests to a part of the channels divide them, until a
// pause in which all have come to the same state again. In a configuration:
//
//	{name: Mem, kind: memory, fidelity: bank, preset: ddr4_3200, row_policy: closed}
//
// read_latency_from_accept_mean counts from the entry of a burst into the queues,
// read_latency_from_arrival_mean from the arrival of its request at the node; both end
// with the last beat and contain no link.
//
// # Energy
//
// DDR3, DDR4, DDR5 and LPDDR5 follow Micron's power calculator from the currents
// in standards, which are the most that a maker allows over process, voltage and
// temperature: typical chips take about half (Ghose et al., SIGMETRICS 2018). HBM2 has energies
// of activations, reads and writes (O'Connor et al., MICRO 2017), but none of
// refresh and standing by, so no sum. LPDDR4, HBM2E and HBM3 have no energy: the
// data sheets with currents of these are not public, and the figures for LPDDR4
// and HBM in the files of open simulators name no source.
//
// # Left out
//
// Power down, self refresh, refresh of pairs of banks (LPDDR5), row hammer
// mitigation, error correction, calibration. Data are not kept. Energy of LPDDR4,
// HBM2E and HBM3, and of HBM2 beyond its commands: see Energy.
//
// # Deviations
//
//  1. From Ramulator 2.1: tRFC1 of an 8 Gbit DDR4 die is 350 ns, 560 clocks at
//     DDR4-3200, as the standard and DRAMsim3 have it; Ramulator takes 576.
//  2. From DRAMsim3: a read is done with the last beat; DRAMsim3 counts one clock
//     more. It moves requests from a queue of 32 into one of 8 per bank, so under
//     saturation more are under way and latencies from acceptance are longer;
//     after a refresh too, where latencies from arrival agree.
//     The presets of DDR4 look at 38 reads, which lies between it and the 32 of
//     Ramulator: up to 80% of the highest bandwidth all rows are within 6% of both,
//     from arrival and from acceptance, but for the bank group in the lowest bits,
//     where from acceptance DRAMsim3 is up to 19% longer. read_queue: 32 is
//     Ramulator to the clock.
//  3. From JESD79-5: tFAW of DDR5 is 20 ns as in Ramulator; the standard allows
//     32 clocks, but not less than 13.3 ns, for chips of 1 KiB pages.
//  4. A write is never accepted before a waiting read of the same place is
//     served; the peers let it overtake (Ramulator) or hold the queue (DRAMsim3).
//  5. An access does not close a row by auto precharge while another burst, for
//     which the row was opened, waits for its access.
//  6. The two pseudo channels of HBM share command buses; here each has its own,
//     and an activation of HBM3 takes 2 slots, not 1.5. Stack identifiers are not
//     told apart.
//  7. LPDDR5: ACT-1 and ACT-2 follow each other at once. With wck: on_access the data clock
//     stops by itself after an access, as the standard has it where it is not always on; a
//     CAS that starts it ahead for several ranks, or stops it (WS_FS, WCK_OFF), is not used.
//  8. Timings of HBM are not in the standards; see the assumptions in standards.
//  9. From Ramulator with closed rows, where reads and writes of one row wait
//     together: there an access may turn into one with auto precharge while another
//     waits for the row that was opened for it, which Ramulator's other commands
//     may not, and the row is opened twice. Blocks of 256 B with every second
//     access a write take 14% longer there on DDR4-3200 and 21% on DDR5-4800; with
//     that one check added to Ramulator, 1.6% and 4%.
//  10. From Micron's calculator: currents of DDR5 are shared by the open banks, see
//     Energies; with one bank open or all the two agree.
package dram
