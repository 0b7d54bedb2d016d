// Package watch records what a run does over time, without changing its result.
//
// [Observe] records the data of a report's figures: the first tasks of each node, counters over
// time with their peaks, and tables of nodes ([Observed]). A [Sampler] reads all counters at equal
// intervals. A [Record] keeps the memory requests at ports, as traces, and the use of network
// channels.
//
// Times are in ns unless stated otherwise. Observed keeps a bounded number of tasks (Quota) and
// intervals, and counts what it left out. Left out: results (package result).
package watch
