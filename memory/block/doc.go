// Package block runs a source of requests and what answers them as one: requests are
// values in queues, not messages, and no event stands between them.
//
// A block is a tree of nodes of one clock whose only source is at its root: a driver,
// caches, memories. Nothing else reaches them, so what they do until the engine's next
// event is known; the block does it in a loop, cycle by cycle, and comes back when
// a component outside is to act. Counters at that moment are those of messages.
//
// # Order
//
// In a cycle n first the nodes act, at the instant of the cycle, requesters before
// the nodes below them; nothing of an instant is seen before a later one. The source
// acts after them, as workloads/player says. A request or an answer sent in cycle n over a
// link of latency L is seen in cycle n+L; the source sees answers of cycle n at once.
//
// # Room
//
// A Link holds back what a wire and a port would: a port that is full leaves requests on
// the wire, a wire takes a limited number of messages of an instant, and a sender that was
// refused acts again when there is room.
//
// # When
//
// Build returns false, and nodes send messages, where anything differs from this: another
// clock, a limited bandwidth, a second requester, a port or a wire that a hook observes,
// a stream of all tasks, another engine, or one made with engine.MessagesOnly. Results are
// the same either way.
//
// # Quick nodes
//
// Where no request below a source waits for another (untimed caches over memories of
// constant latency), the time of a request is known when it is sent: Quick. Its source
// then keeps the cycles of answers, and counts each request at once, as long as all
// happens before a component outside acts. If a run ends by a fault, counters may be
// ahead of it; package experiment then runs it again with messages.
//
// # Hosts and guests
//
// A node that answers requests in a loop of its own, as a CXL fabric does for many sources,
// is a Host: a source finds a Desk there (Check), and acts when the loop comes to its time.
//
// # Left out
//
// Data, control requests, and several sources: drivers that share a cache or a memory send
// messages and gain nothing from this package. A full port serves the sources that wait
// for it in turn, and answers of one cycle wake each of them at an instant of its own, so
// a loop over several would have to order them as the wire does, at each cycle in which
// two of them act: which is what messages cost.
package block
