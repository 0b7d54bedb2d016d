// Package chakra reads and writes Chakra execution traces: a graph of computations, messages
// and collectives per rank. It adds the formats chakra (protocol buffers) and chakra_json
// (a workload_graph, or the messages in JSON one after the other) to comm.All.
//
// The schema is 1.0.2-chakra.0.0.4. Write writes one rank of a program.
//
// # Left out
//
// Times of memory operations, which the player computes from their size.
//
// # Sources
//
// MLCommons Chakra, et_def.proto.
//
// # Deviations
//
//  1. Of a node only data_deps count. ctrl_deps of traces from PyTorch name the operator that
//     called this one, which need not have ended, or is not in the file; ASTRA-sim ignores
//     them too.
//  2. A collective or message without comm_type and comm_size is the call on the host of an
//     operation with a separate node. It takes its time on the host.
//  3. pg_name and involved_dim alone do not say which ranks take part, and collectives are then of
//     all ranks. Write lists them in an additional attribute pg_ranks, which Open reads if it is
//     present.
package chakra
