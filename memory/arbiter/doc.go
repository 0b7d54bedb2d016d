// Package arbiter models the arbiter of two request streams in front of a memory: node kind
// arbiter. A chip's compute is at port first, its network interface at port later, the memory
// below port bottom.
//
//	nodes:
//	  - {name: Arbiter, kind: arbiter, policy: first, queue: 64KiB, below: 16KiB}
//	links:
//	  - Gpu -> Arbiter.first
//	  - Nic.mem -> Arbiter.later
//	  - Arbiter.bottom -> Hbm
//
// # Model
//
// The memory's queue holds queue bytes: a request waits at the arbiter until fewer bytes of
// forwarded requests are unanswered. The key policy selects the next port:
//
//	arrival  the one that came first
//	turns    one of each port after the other, where both wait
//	first    port first; one of later only where none of first waits, and fewer than
//	         below bytes are at the memory; but one that has waited for starve goes first
//
// Requests of a port are forwarded in the order of arrival. The arbiter adds no time to that of
// the links, and forwards as many requests per cycle as the queue has room for. It cuts a request
// only where the addresses change from one memory below to another, and answers it when all parts
// are answered.
//
// # Sources
//
// Pati et al., T3: Transparent Tracking and Triggering for Fine-grained Overlap of Compute and
// Collectives, ASPLOS 2024, section 4.5: compute first, communication below an occupancy of the
// queue, and a limit of its wait.
//
// # Left out
//
// An occupancy that follows from the intensity of the first stage: the key below is constant.
// Bytes of data.
package arbiter
