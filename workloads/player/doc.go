// Package player drives memories with traces or generated requests: node kind driver, one port
// mem.
//
//	nodes:
//	  - {name: Driver, kind: driver, trace: run.trc, mode: "closed:8"}
//	  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
//	links:
//	  - Driver -> Mem
//
// # Arrival
//
// A request arrives, waits for earlier requests, and is sent when the link has room, at most one
// per cycle of the driver's clock.
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
// The driver's clock is that of the memory below the link unless the key clock is set. It acts a
// picosecond after each of its cycles: it sees the answers of that cycle, and a memory of the same
// clock sees its request in the next cycle. Thus closed:1 on a memory of latency L has a period of
// L+1 cycles, as in a test bench that calls the memory once per cycle.
//
// Latencies are in cycles of the memory's clock. A request is accepted in the cycle that the
// memory reports (memory.Hint), or else in the first memory cycle that can see it. It is answered
// in the cycle in which the answer would leave on a link of one cycle. The latency includes longer
// links, networks and caches. read_latency_from_accept is the difference;
// read_latency_from_arrival counts from the first memory cycle after the arrival. Percentile p of
// n latencies is the value at index floor(p*n) of the sorted list, exact up to 2^24 cycles and to
// one part in 1024 beyond. bandwidth is the bytes of all requests divided by the time of the last
// answer, from the start of the run. If arrivals do not wait for answers, an answer is counted
// when the driver acts next, at most 256 cycles later: counters over time lag by that, latencies
// do not.
//
// # Sizes and addresses
//
// A request has the size in the trace, or else the size of key bytes. It is split where its
// addresses change their home, and at 16 MiB; the parts are sent one per cycle, and the request is
// done when all parts are. base is added to addresses; wrap takes them modulo its value. An
// address without a home is an error of the trace.
//
// # Tensors
//
// The hint of a request describes its tensor, which the cache policy dco uses. A trace in format
// causeway may describe its tensors. For other formats the key tensors names a file with a table
// of tensors in that format (#tensor lines, see workloads/trace), by address after wrap and base:
//
//	#causeway-trace/1
//	#tensor name=keys kind=kv_cache base=0x10000 bytes=65536 tile=4096 accesses=16 sharers=4
//	#tensor name=out kind=output base=0x20000 bytes=4096 write_once=true
//
// # Generated layers
//
// In place of a trace, the key generate makes the requests of a layer, for the core with the
// driver's number, with tensors:
//
//	{name: Core, kind: driver, count: 4, bytes: 4KiB, mode: "open:16",
//	 generate: {name: attention, heads: 32, kv_heads: 8, context: 2048, cores: 4}}
//
// bytes is the size of its requests. An open loop models the compute time of the core: open:16
// with 4 KiB is a core that consumes 256 B per cycle and prefetches as far as memory allows.
//
// hot_set and stream are patterns: random accesses with a hot set, and sequential ones. They do
// not end; until: 1ms stops them, so that several drivers load a memory for the same time. With
// posted: true the writes of update: true (write-backs) do not count in the limit of mode.
//
// # Errors in a trace
//
// A wrong record ends the run with an error with file and line or byte, after all requests before
// it are answered. The metrics are those of these requests.
//
// # Left out
//
// Dependencies between requests, which traces do not have, and data.
package player
