// Package direct joins a requester and the only memory below it without messages and events: the
// memory receives a request when it is sent, and the requester an answer as soon as its time is
// certain.
//
// A memory that knows its answers ahead, as a DRAM does from the read command, then wakes only to
// schedule commands, for many clocks at once, and its requester only when an answer arrives.
//
// Find makes the Link of a port; Link.Join starts it. Neither returns an error.
//
// # Equal to messages
//
// The receiver sees a request or an answer in the same cycle as a message. Answers of one cycle
// arrive in the order in which they left. The link takes a limited number of requests per
// instant, like a wire, and a refused requester acts again in the next cycle. The memory's
// counters are at every instant equal to those with messages (stats.Group.Before).
//
// # When
//
// Requester and memory exchange messages instead in each of these cases:
//
//   - a third port is on the wire, or a hook observes a port or the wire
//   - the bandwidth is limited
//   - the engine is another, or was made with engine.MessagesOnly
//   - the run is read while it goes on (engine.Punctual: simulation.max_time,
//     simulation.sample, repeat: sampled)
//   - the memory needs messages: it reports tasks, or it holds bytes
//
// After a fault the counters may be ahead of the fault. Package experiment then repeats the
// run with messages.
//
// # Left out
//
// Several requesters, several memories below one port.
package direct
