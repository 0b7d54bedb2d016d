// Package spatial models an accelerator that a loop nest describes: storage levels, fan-outs and
// a mapping. It is node kind spatial, with fidelities analytic and tile.
//
//	{name: Core, kind: spatial, levels: [...], problem: {...}, mapping: [...]}
//	{name: Core, kind: spatial, input_file: input.yaml, mapping_file: map.yaml}
//
// The nest is given by the node's own keys (accelerators/nest/design), by a file of these keys,
// or by Timeloop's files (accelerators/nest/timeloop). For Timeloop, input_file is the whole
// input as its front end resolves it; the mapping is in it or in mapping_file, which may have
// either form. Tables of energy and area are sections of the input, the files ert_file and
// art_file, or ERT.yaml and ART.yaml in the folder of the input. Without them the results have no
// energies. Without a mapping, search: finds one within the constraints of the input.
//
// # Results
//
// A row of levels.csv is one tensor at one level, per instance in use, as Timeloop prints it:
// words read, filled and updated, after sparse skipping. Metrics are cycles, energy, MACs and
// utilization of the compute units of the whole accelerator.
//
// # Workloads
//
// A node with levels and without a problem carries out a workload: every product is mapped
// (accelerators/nest/planner) and cut into steps (accelerators/nest/tile) for the DMA engine and
// the vector unit of accelerators/systolic.
//
// A node with a problem of its own and fidelity tile sends the tiles of that nest to memory
// (Alone).
//
// # Left out
//
// Energy of networks except their wires (accelerators/nest); sparse tensors of a workload, except
// on nodes that skip weights.
package spatial
