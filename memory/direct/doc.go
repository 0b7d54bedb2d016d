// Package direct joins a requester and the one memory below it: requests are handed over
// when they are sent, before they arrive, and answers as soon as they are certain, before
// they leave. Neither takes a message or an event.
//
// A memory that knows its answers ahead of their time, as a DRAM does from the command that
// reads, then wakes only to schedule, for many clocks at once, and its requester only when
// an answer comes.
//
// # Equal to messages
//
// A request or an answer sent at an instant is seen in the cycle in which a message would be
// seen. Answers of one cycle come in the order in which they left. A wire takes a limited
// number of requests of an instant, and a requester that was refused acts again in the next
// cycle. The memory's counters show at every instant what they would show with messages: see
// stats.Group.Before.
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
//   - the memory wants messages: it reports tasks, or it holds bytes
//
// After a fault the counters may be ahead of the fault. Package experiment then repeats the
// run with messages.
//
// # Left out
//
// Several requesters, several memories below one port.
package direct
