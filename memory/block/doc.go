// Package block runs a source of requests and what answers them as one: requests are
// values in queues, not messages, and no event stands between them.
//
// A block is a tree of nodes of one clock whose only source is at its root: a driver,
// caches, memories. Nothing else reaches them, so what they do until the engine's next
// event is known; the block does it in a loop, cycle by cycle, and comes back when
// somebody else is to act. Counters at that moment are those of messages.
//
// # Order
//
// In a cycle n first the nodes act, at the instant of the cycle, requesters before
// those whom they ask; nothing of an instant is seen before a later one. The source
// acts behind them, as workloads/player says. A request sent in cycle n over a link
// of latency L is seen in cycle n+L, an answer likewise; the source sees answers of
// cycle n at once.
//
// # Room
//
// What a wire and a port hold back, a Link does as well: a port that is full leaves
// requests on the wire, a wire takes so many messages of an instant, and who was
// refused acts again when there is room.
//
// # When
//
// Build answers false, and messages it is, where anything differs from this: another
// clock, a limited bandwidth, a second requester, a port or a wire that somebody looks
// at, a stream of all tasks, an engine of others, or one made with
// engine.MessagesOnly. Results are the same either way.
//
// # Quick nodes
//
// Where nothing behind a source keeps anybody waiting (untimed caches over memories of
// constant latency), the time of a request is known when it is sent: Quick. Its source
// then keeps the cycles of answers, and counts each request at once, as long as all
// comes to pass before anybody outside acts. If a run ends by a fault, counters may be
// ahead of it; package experiment then runs it again with messages.
//
// # Hosts and guests
//
// Who answers requests in a loop of its own, as a CXL fabric does for many sources, carries
// them along: a source finds a Desk there (Check), and acts when the loop comes to its time.
//
// # Left out
//
// Data, control requests, and several sources: drivers that share a cache or a memory send
// messages and gain nothing from this package. A full port serves the sources that wait
// for it in turn, and answers of one cycle wake each of them at an instant of its own, so
// a loop over several would have to order them as the wire does, at each cycle in which
// two of them act: which is what messages cost.
package block
