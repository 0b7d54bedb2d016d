// Package spatial is an accelerator that a loop nest describes: storage levels,
// fan-outs and a mapping. Node kind spatial, fidelities analytic and tile.
//
//	{name: Core, kind: spatial, levels: [...], problem: {...}, mapping: [...]}
//	{name: Core, kind: spatial, input_file: input.yaml, mapping_file: map.yaml}
//
// A nest is described by the node's own keys (accelerators/nest/design), by a file that
// holds them, or by Timeloop's files (accelerators/nest/timeloop): input_file is then the
// whole input as its front end resolves it, with the mapping in it or in mapping_file.
// Tables of energy and area are sections of the input, or ert_file and art_file, or lie
// beside the input as ERT.yaml and ART.yaml. Without energies there are none in the
// results. Without a mapping one is searched for (search:), from the constraints of the
// input. mapping_file may be in either form, whichever the input is in.
//
// # Results
//
// A row of levels.csv is one tensor at one level, per instance in use, as Timeloop
// prints it: what is actually read, filled, updated where the machine is sparse.
// Metrics are those of the whole: cycles, energy, macs done, utilization of the compute
// units.
//
// # Workloads
//
// A node that describes a machine and no problem carries out a workload: every product
// is mapped (accelerators/nest/planner) and cut into steps (accelerators/nest/tile), for
// the DMA engine and the vector unit of accelerators/systolic, with its fidelities.
//
// Fidelity tile of a node with a problem of its own sends that nest's tiles (Alone).
//
// # Left out
//
// Energy of networks but their wires (accelerators/nest); sparse tensors of a workload, which
// only nodes that skip weights take.
package spatial
