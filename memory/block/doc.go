// Package block runs a source of requests and the nodes that answer them as one component,
// without messages and events between them: requests are values in queues.
//
// A block is a tree of nodes of one clock with the only source at its root: a driver, caches,
// memories. No other component reaches them, so the block simulates them in a loop, cycle by
// cycle, until the engine's next event. Counters are then equal to those with messages.
//
// # Order
//
// In each cycle the nodes act first, requesters before the nodes below them, then the source (see
// workloads/player). A request or an answer sent in cycle n over a link of latency L is visible
// in cycle n+L; the source sees answers of cycle n at once.
//
// # Room
//
// A Link has the back-pressure of a wire and a port: a full port leaves requests on the wire, a
// wire takes a limited number of messages per instant, and a refused sender acts again when there
// is room.
//
// # When
//
// Build returns false, and nodes send messages, if a node has another clock, a link has a limited
// bandwidth, there is a second requester, a hook observes a port or a wire, all tasks are
// recorded, or the engine is another or was made with engine.MessagesOnly. Results are equal
// either way.
//
// # Quick nodes
//
// If no request below a source waits for another (untimed caches over memories of constant
// latency), the time of a request is known when it is sent: interface Quick. The source then
// keeps the cycles of answers, and counts each request at once, up to the next event outside. If
// a run ends by an error, counters may be ahead of it; package experiment then repeats the run
// with messages.
//
// # Hosts and guests
//
// A Host is a node that answers the requests of many sources in a loop of its own: a CXL fabric.
// Check joins a source, its Guest, to the Host by a GuestPort; the Host's loop then runs the source.
//
// # Left out
//
// Data, control requests, and several sources: drivers that share a cache or a memory send
// messages and gain nothing from this package. A loop over several sources would have to order
// them as the wire does in each cycle in which two of them act, which costs as much as messages.
package block
