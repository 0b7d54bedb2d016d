// Package table reads models from text files with a line per layer: the topology files of
// SCALE-Sim and the layer table of NVDLA's performance sheet. Import it to register the formats in
// format.All; format.Open then reads such files. See ExampleRead.
//
// # SCALE-Sim topologies
//
// A line is a convolution (layer name, ifmap height and width, filter height and width,
// channels, filters, stride, and optionally a second stride, a batch or an N:M sparsity) or a
// matrix product (layer, M, N, K, and optionally batch or sparsity). Columns are found by
// their titles, so their order is free. A dimension may be a symbol that Options.Symbols
// binds. ScaleSimLayers gives the rows themselves; row i is operator i of the graph.
// Options.Batch multiplies the images of every convolution and the rows of every product. A
// file may have 2^16 layers.
//
// # NVDLA's performance sheet
//
// Convolutions with the addition and the pooling that are fused with them. The configuration
// above the titles and columns of results are not read; rows that the sheet merges into
// others are left out.
//
// # Left out
//
// Sparsity in the graph, which is dense; the rows of ScaleSimLayers have it.
//
// # Sources
//
// A. Samajdar et al., "A systematic methodology for characterizing scalability of DNN
// accelerators using SCALE-Sim", ISPASS 2020; the rules of files are those of
// scalesim/topology_utils.py of version 3. NVDLA_OpenSource_Performance.xlsx of the NVDLA
// project.
//
// # Deviations
//
//  1. SCALE-Sim drops what stands after the last comma of a line, so a line without a
//     trailing comma loses its stride there. Here it keeps it.
//  2. SCALE-Sim stops at a line of commas, at a heading inside the file, at a batch column and
//     at a comment such as "#dw". Here empty lines and comments are skipped, a heading becomes
//     the prefix of the following layers, and the batch is the N of the convolution.
//  3. A SCALE-Sim convolution has ceil((H-R+s)/s) output rows, one more than the usual
//     floor((H-R)/s)+1 when the stride does not divide. The graph carries this as padding
//     below and to the right, so that its MACs are those of SCALE-Sim.
//  4. A row whose name contains DP is a depthwise convolution that SCALE-Sim runs as one layer
//     per channel; so do the rows and the graph here.
//  5. An untitled number after the last column is the second stride of a convolution, as in
//     SCALE-Sim version 2; version 3 takes it for a sparsity and stops. After a product it is
//     the batch, as in version 3.
package table
