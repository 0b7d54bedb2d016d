// Package profile is an executor whose operators take what a table says: kind profile.
// The table is measured, or computed by another program; the node does them one after the
// other.
//
//	{name: Acc, kind: profile, file: costs.csv, machine: single_4k_ws, clock: 1GHz}
//
//	machine,workload,layer,cycles,energy_nj
//	single_4k_ws,eyes,conv1,159264,3694611.968640
//
// A row belongs to the layer of a workload, by their names; rows of other machines are
// for other nodes that read the same file, and those of other workloads are not used. A
// layer without a row is an error before the run. energy_nj may be left out or empty.
//
// Left out: memory, and whatever depends on what else is going on.
package profile
