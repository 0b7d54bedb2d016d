// Package arbiter decides whose requests go on to a memory next: kind arbiter. It stands
// where the streams of a memory controller meet: a chip's compute at port first, its
// network interface at port later, the memory below port bottom.
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
// Requests wait at the arbiter until fewer than queue bytes of those that went on are
// without an answer: that is the queue of the memory. The key policy says which port goes next:
//
//	arrival  the one that came first
//	turns    one of each port after the other, where both wait
//	first    port first; one of later only where none of first waits, and fewer than
//	         below bytes are at the memory; but one that has waited for starve goes first
//
// Requests of a port go on in the order in which they came. Requests and answers take no
// time here besides the links; as many go on in a cycle as the queue has room for. A request
// is not cut, but where its addresses change their home, of several memories below the port; it
// is answered when all of it is.
//
// # Sources
//
// Pati et al., T3: Transparent Tracking and Triggering for Fine-grained Overlap of Compute
// and Collectives, ASPLOS 2024, section 4.5: compute first, communication below an occupancy
// of the queue, and a limit of its wait.
//
// # Left out
//
// An occupancy that follows from the intensity of the first stage: below is given.
package arbiter
