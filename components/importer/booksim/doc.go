// Package booksim imports configurations of BookSim 2.0. Routers have preset booksim, and the
// traffic node measures by the tool's rules. Every setting of a router is written out, since
// defaults of the tool and of the preset differ.
//
// # Left out
//
// Topologies without a counterpart (fly of several stages, qtree, tree4) are errors. Algorithms,
// patterns and allocators without one are replaced by the nearest, and the draft says so.
//
// # Source
//
// booksim_config.cpp, traffic.cpp and the networks of github.com/booksim/booksim2, revision 28f4329:
// keys, defaults, sizes and latencies of channels.
package booksim
