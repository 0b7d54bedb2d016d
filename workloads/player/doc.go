// Package player drives memories with traces: node kind driver, one port mem.
//
//	nodes:
//	  - {name: Driver, kind: driver, trace: run.trc, mode: "closed:8"}
//	  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
//	links:
//	  - Driver -> Mem
//
// # Arrival
//
// A request arrives, waits for those before it, and is sent in a cycle in
// which the link has room, at most one per cycle of the driver's clock.
//
//	closed:K   request i arrives in the first cycle in which fewer than K of those
//	           before it are not done
//	open:I     request i arrives in cycle i*I
//	timed      it arrives at its time in the trace; instructions and cycles of the
//	           trace are cycles of the driver, exact times are rounded up to one
//
// A request is done when its answer is here; with posted: true a write is done
// when it is sent. The first limit records of the trace are played, repeat times;
// in timed mode a repetition begins one tick after the last arrival.
//
// # Clocks and latencies
//
// The driver's clock is that of the memory below the link unless clock: names
// another. It acts a picosecond after each of its cycles, so that it sees the
// answers of that cycle, and what it sends is seen by a memory of the same clock
// in the very next cycle: closed:1 on a memory of latency L has a period of L+1
// cycles, as a test bench has that calls the memory once per cycle.
//
// Latencies are in cycles of the memory's clock. Accepted is what the memory says
// (memory.Hint) or, if it says nothing, the first memory cycle that can see the
// request once it is sent; answered is the cycle in which the answer leaves on a
// link of one cycle. What a longer link, a network or a
// cache adds is part of the latency. read_latency_from_accept is the difference;
// read_latency_from_arrival counts from the first memory cycle after the
// arrival. Percentile p of n latencies is the one of index floor(p*n) of the
// sorted list. They are exact up to 2^24 cycles and to one part in 1024 beyond.
// bandwidth is the bytes of all requests over the cycle of the last answer, from
// the start of the run. Where arrivals do not wait for answers, an answer is
// counted when the driver acts next, at most 256 cycles later: counters over time
// lag that much behind, latencies do not.
//
// # Sizes and addresses
//
// A request has the size that the trace says, or bytes where it says none. It is
// cut where its addresses change their home, and at 16 MiB; the parts are sent
// one per cycle, and it is done when all of them are. An address without a home
// is an error of the trace; base adds to addresses, wrap folds them.
//
// # Tensors
//
// A request's hint points at what is known of its tensor, which a cache with
// policy dco goes by. A trace in the own format may describe its tensors; for any
// other, tensors: names a side file, a table in the own format (#tensor lines, see
// workloads/trace) that tells requests their tensor by address, after wrap and
// base:
//
//	#causeway-trace/1
//	#tensor name=keys kind=kv_cache base=0x10000 bytes=65536 tile=4096 accesses=16 sharers=4
//	#tensor name=out kind=output base=0x20000 bytes=4096 write_once=true
//
// # Generated layers
//
// In place of a trace, generate: makes the requests of a layer, of the core that
// has the driver's number, tensors described:
//
//	{name: Core, kind: driver, count: 4, bytes: 4KiB, mode: "open:16",
//	 generate: {name: attention, heads: 32, kv_heads: 8, context: 2048, cores: 4}}
//
// bytes is the size of its requests. An open loop gives the core a compute time:
// open:16 with 4 KiB is a core that uses 256 B per cycle and reads ahead as far as
// memory lets it.
//
// hot_set and stream are patterns in place of layers: random accesses with a hot
// set, and sequential ones. They have no end of their own; until: 1ms stops them, so
// that several drivers load a memory for the same time. With posted: true the writes
// of update: true, which a cache sends back, are not among those that mode bounds.
//
// # Errors in a trace
//
// A record that cannot be read ends the run with an error that names file and
// line or byte, when all requests before it are answered. The metrics then hold
// for those.
//
// # Left out
//
// Dependencies between requests; traces say nothing of them. Data.
package player
