// Package format reads models that other tools wrote and turns them into
// graphs (workloads/graph). Each format is one entry of All and one set of
// files here; Open finds the format by looking at the content.
//
//	g, name, err := format.Open("resnet50.csv", format.Options{Batch: 1})
//
// # Formats
//
// scalesim: the topology files of SCALE-Sim, one layer per line, either
// convolutions (layer name, ifmap height and width, filter height and width,
// channels, filters, stride, and optionally a second stride, a batch or an N:M
// sparsity) or matrix products (layer, M, N, K, and optionally batch or
// sparsity). Columns are found by their header, so their order is free. The
// rows themselves are available from ScaleSimLayers.
//
// # What is left out
//
// Values of weights are not read. Sparsity of a SCALE-Sim row is kept in the
// row and not in the graph, which is dense.
//
// # Sources
//
// SCALE-Sim: A. Samajdar et al., "A systematic methodology for characterizing
// scalability of DNN accelerators using SCALE-Sim", ISPASS 2020; the file rules
// are those of scalesim/topology_utils.py of version 3.
//
// # Deviations
//
//  1. SCALE-Sim drops what stands behind the last comma of a line, so a line
//     without a trailing comma loses its stride there. Here it keeps it.
//  2. SCALE-Sim stops at a line of commas, at a heading inside the file, at a
//     batch column and at a comment such as "#dw". Here empty lines and
//     comments are skipped, a heading becomes the prefix of the following
//     layers, and the batch is the N of the convolution.
//  3. A SCALE-Sim convolution has ceil((H-R+s)/s) output rows, one more than
//     the usual floor((H-R)/s)+1 when the stride does not divide. The graph
//     carries this as padding below and to the right, so that its MACs are
//     those of SCALE-Sim.
//  4. A row whose name contains DP is a depthwise convolution that SCALE-Sim
//     runs as one layer per channel; so do the rows and the graph here.
package format
