// Package ramulator imports configurations of Ramulator 2: the YAML of version 2.0 as people write
// it, and the YAML that version 2.1 exports, in which all timings are numbers. The memory has
// fidelity bank. With the timings of an export its commands follow Ramulator's clock by clock
// (memory/dram, Agreement).
//
// # Left out
//
// RowHammer mitigations, plugins and their standards (VRR, RFM, PRAC); GDDR6, GDDR7, HBM1, HBM4 and
// LPDDR6, which are errors. A frontend without a trace (External, generators of requests) becomes a
// stream of reads, and the draft says so.
//
// # Source
//
// github.com/CMU-SAFARI/ramulator2, revisions bbeffe0 (2.0) and c5b1c3a (2.1): keys, defaults, speed
// bins, order of timings.
package ramulator
