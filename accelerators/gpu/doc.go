// Package gpu is a graphics processor: kind gpu. It carries out the operators of a
// model one after the other, each as one kernel, whose time accelerators/gpu/kernel
// knows:
//
//	launch + max(least, kernel)
//
// rounded up to cycles of the SMs' clock.
//
//	{name: Chip, kind: gpu, preset: h100}
//
// Matrix products and convolutions (as im2col) are cut into thread-block tiles that go
// to SMs in rounds; attention is one kernel where the workload has it so; other
// operators go by their bytes. The clock is the sustained one, and sustained says what
// share of the matrix units' peak power lets the whole chip keep up: both are named
// values of a preset, since tables of one chip differ by them. memory_efficiency and
// launch go by the type of operator; a type that is not named has those of other.
//
// caches: cold takes every operand from memory. With warm, what the operator before
// may have left is in the L2 as far as resident says; weights never are. With hot they
// are too, where all operands of the operator fit: a loop over few layers. With loop each
// operator runs again and again, as benchmarks time kernels: what it goes through stays in the L2 if
// all of it fits, and a product takes up to five weights in turn. auto is loop for rows of a list on
// the kernels of a library, and cold otherwise.
//
// # Launches
//
// launch: graph has all kernels launched at once; with launch: eager the host launches them one
// by one (accelerators/gpu/launch).
//
// # Profile
//
// Measured times may stand in place of the model's, operator by operator
// (accelerators/gpu/profile); at fidelity analytic.
//
// # Kernels
//
// kernels: {library: trtllm} takes products, attention and mixtures of experts from a named
// library's kernels (accelerators/gpu/library), which go by the generation of the SMs
// (architecture). Another library, cutlass, is accelerators/gpu/kernel. All
// experts of a mixture are one kernel, whose time its first product has.
//
// join has models run as in serving frameworks: products of one operand are one product, and a norm adds
// the residual before it.
//
// fuse has kernels of products and convolutions apply norms, activations and additions to their
// results (fuse.Epilogues).
//
// # Transfers
//
// Operators of lists such as all_reduce and dispatch are kernels that move data over the key link to the
// other chips of the machine: NCCL's, TensorRT-LLM's and DeepEP's as measured (accelerators/gpu/library).
// Models that chips share send over the network of the run.
//
// Beside transfers of a communicator kernels lack the SMs and the bandwidth that these take. Persistent
// products of a library take twice as long then.
//
// # Fidelity tile
//
// The same kernels, whose bytes go as bursts to the memory below the port, side by side in the
// order of their addresses (accelerators/work/streamed): a kernel takes what its rule says with the
// bandwidth that the memory has shown. Operands that tiles read again come panel by panel (1 MiB). Keys
// and values of a server may lie in pieces, in blocks of several memories. stream_share is what a memory
// with banks makes of its bandwidth, which the shares of kernels hold already. With fetch_ahead: N steps
// of a product's loop wait for their operands, and kernels have no rule for bytes.
//
// rereads: lru has operands come from memory as often as an L2 of l2_size makes it, from the
// order of tiles; else they come once.
//
// # Left out
//
// Kernels at the same time, and sharing one model with other nodes. Results that the L2 takes
// (key absorbed) are not written to the memory later.
package gpu
