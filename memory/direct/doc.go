// Package direct joins a requester and the one memory below it: requests are handed over
// when they are sent, before they arrive, and answers are told when they are certain,
// before they leave. Neither takes a message or an event.
//
// A memory that knows its answers ahead of their time, as a DRAM does from the command that
// reads, then wakes only to schedule, for many clocks at once, and its requester only when
// an answer comes.
//
// # Equal to messages
//
// A request sent at an instant is seen in the cycle in which a message would be seen, an
// answer likewise; answers of one cycle come in the order in which they left. A wire takes so
// many requests of an instant, and who was refused acts again in the next cycle. What the
// memory counts is counted when it would have been, for those who look in between: see
// stats.Group.Before.
//
// # When
//
// Messages it is where anybody else is on the wire, a port or the wire is looked at, a
// bandwidth is limited, the engine is another or was made with engine.MessagesOnly, or
// somebody looks at everything in the middle of the run (engine.Punctual: for
// simulation.max_time, simulation.sample and repeat: sampled); and where the memory wants messages, while tasks
// are reported or because it holds bytes. A run that ends by a fault is run again with
// messages, by package experiment, since what was counted may be ahead of it.
//
// # Left out
//
// Several requesters, several memories behind one port.
package direct
