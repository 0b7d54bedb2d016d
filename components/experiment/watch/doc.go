// Package watch writes down what a run does while it goes, without changing it.
//
// [Observe] keeps what the figures of a report are drawn of: the first tasks of each node,
// counters over time with their peaks, and tables of nodes ([Observed]). A [Sampler] reads all
// counters at equal intervals. A [Record] keeps the memory requests that cross ports, as traces,
// and the use of channels of networks.
//
// Times are in ns unless a name says otherwise. Of long runs a part is kept: [Observed] bounds its
// tasks and its intervals, and says so. What a run found is package result.
package watch
