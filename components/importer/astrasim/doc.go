// Package astrasim imports ASTRA-sim 2: network (YAML), system and memory (JSON) and Chakra traces,
// in a folder or given one by one. A network of one Ring follows the congestion-aware analytical
// back end under the rules of configs/studies/astrasim, so that ring collectives are equal to the
// nanosecond: store and forward, times rounded down, endpoint-delay for each message and each split.
//
// # Left out
//
// Networks of ns-3 and htsim, remote memory, custom collectives. Networks of several dimensions
// become a topology file, whose channels have two classes; collectives are then hierarchical over
// the first dimension and the rest.
//
// # Source
//
// astra-sim/system/Sys.cc of github.com/astra-sim/astra-sim, commit 518bd51, and
// github.com/astra-sim/astra-network-analytical: keys and units. A GB is 2^30 bytes in networks and
// 10^9 in local-mem-bw.
package astrasim
