// Package profile is an executor that takes the cycles and energy of each operator from a table:
// node kind profile. The table is measured, or computed by another program. Operators run one
// after the other.
//
//	{name: Acc, kind: profile, file: costs.csv, machine: single_4k_ws, clock: 1GHz}
//
//	machine,workload,layer,cycles,energy_nj
//	single_4k_ws,eyes,conv1,159264,3694611.968640
//
// A row is for one machine, workload and layer, by name; rows of other machines and workloads are
// ignored. Cycles are those of the key clock, energy is in nJ, and energy_nj may be left out or
// empty. Errors before the run are a layer without a row, a machine without rows, and a faulty
// table (with line and column).
//
// Left out: memory, batches of requests, and any effect of other nodes.
package profile
