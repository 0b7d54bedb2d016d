// Package direct joins a requester and a memory below it without messages: the memory receives a
// request when it is sent, and the requester an answer as soon as its time is certain.
//
// A DRAM knows its answers from the read command. It then wakes only to schedule commands, for many
// clocks at once. A memory that answers in order (memory/inorder) wakes when requests arrive. Either
// wakes its requester only when an answer arrives. Other memories on the wire get messages.
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
//   - a port on the wire is no memory of the requester, or a hook observes a port or the wire
//   - two memories of the wire could be joined
//   - the bandwidth is limited
//   - the engine is another, or was made with engine.MessagesOnly
//   - the run may end at any time, or is looked at between events (engine.Punctual:
//     simulation.max_time, simulation.sample)
//   - counters are read by events (engine.CountersRead: repeat: sampled), and the memory computes
//     ahead of its time
//   - the memory needs messages: it reports tasks, or it holds bytes
//
// After a fault the counters may be ahead of the fault. Package experiment then repeats the
// run with messages.
//
// # Left out
//
// Several requesters; several memories below one port that are asked without messages.
package direct
