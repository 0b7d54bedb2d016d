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
// The folder standards has one file per standard: constraints (level,
// preceding, following, clocks, window) as formulas, and per speed grade their
// values, the organisation and currents, each with its source. Scheduler and
// checker both read them, and nothing else knows about timing.
//
// # Agreement
//
// With tRFC set to the same value, Ramulator 2.1 is met to the clock on all rows
// without refresh and without writes, saturated ones included. See peer_test.go
// for all rows of both peers (go test ./memory/dram -run Peers -peers).
//
// # Deviations
//
//  1. From Ramulator 2.1: tRFC1 of an 8 Gbit DDR4 die is 350 ns, 560 clocks at
//     DDR4-3200, as the standard and DRAMsim3 have it; Ramulator takes 576.
//  2. From DRAMsim3: a read is done with the last beat; DRAMsim3 counts one clock
//     more. It moves requests from a queue of 32 into one of 8 per bank, so under
//     saturation more are under way and latencies from acceptance are longer.
//  3. From JESD79-5: tFAW of DDR5 is 20 ns as in Ramulator; the standard allows
//     32 clocks, but not less than 13.3 ns, for chips of 1 KiB pages.
//  4. A write is never accepted before a waiting read of the same place is
//     served; the peers let it overtake (Ramulator) or hold the queue (DRAMsim3).
package dram
