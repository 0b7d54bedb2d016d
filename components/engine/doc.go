// Package engine runs Akita simulations: an event engine, a ticker, a port and a wire, all behind
// Akita's own interfaces. Times are Akita's, in seconds. See Example for two components on a wire.
//
// # Engine
//
// An Engine implements sim.Engine. Events run in order of time. At one time all primary events run
// before the secondary ones, each kind in the order they were scheduled; a primary event that a
// secondary one schedules for the same time runs before the next secondary one. An error of a
// handler ends the run. With Shuffle the order among equal times is drawn from a seed: a model
// whose results change then depends on tie order, and would change under Akita's engines too. With
// Watchdog and Watch a simulation that cannot go on ends with the error *Stuck, which lists who
// waits for whom.
//
// # Ticker
//
// A Ticker wakes a component at integer cycles of its clock.Clock, at most once
// per cycle, without garbage.
//
// # Port and Wire
//
// A Wire connects ports; each end has a clock and a latency L >= 1 in cycles of
// that clock. A message sent at time t to a receiver with clock c is seen at
// the receiver's cycle c.After(t)+L-1 and never earlier: a secondary event puts
// it into the port at the later of t and the instant of the cycle before, when
// the receiver has done all its work of that cycle.
//
// Messages of one time are delivered in order of the source port's name
// (numbers by value: P[2] before P[10]), those of one source in the order sent.
// Nothing depends on the order in which the engine runs equal times.
//
// If the receiver is full, messages stay on the wire, in order per source. When the receiver has
// room again, sources are served round robin. Waiting messages occupy the sender's buffer
// (EndOptions.Buffer); when that is full Send fails, and the component gets NotifyPortFree later.
// Buffers free slots in secondary events only, so primary events of one time never see each other.
//
// An end of limited bandwidth is a serializer in each direction, booked in the
// order of offers, in exact fractions of its end's cycle. A message goes
// through both ends' serializers at once (cut-through), and the first cycle of
// the latency covers what fits into one cycle: 64 B at 64 B per cycle and
// latency 1 arrive after one cycle, 128 B after two. Booking begins with the
// cycle that the offer falls into; a message is not seen in the cycle in which
// its first byte starts, even if it has none.
//
// Destinations: with two ends, the other one. With more, the end that Dst
// names; if it is not on the wire, the end marked Uplink.
//
// Messages on a wire for a full receiver count as waiting. An Engine and an Adopted engine watch
// every wire, so a run that ends with such messages is Stuck.
//
// # With other engines and connections
//
// Ticker, Port and Wire run on sim.SerialEngine and sim.ParallelEngine too, with Akita's ports and
// sim.DirectConnection mixed in, and give the same results. A component must send and retrieve in
// primary events only, and set nothing but its own flags in NotifyRecv and NotifyPortFree (under a
// lock, for sim.ParallelEngine; Ticker has one). Adopt adds to Akita's engines what ours has:
// errors end the run, RunUntil, a context, Watch.
//
// # Left out
//
// Parallel execution inside one simulation: with less than some microseconds of work per event it
// is slower; run independent simulations instead. Wires do not lose, reorder or corrupt messages
// and have no virtual channels; a network node models those.
//
// # Sources
//
// The interfaces and their contracts: github.com/sarchlab/akita/v3/sim v3.1.0.
// The queue is a d-ary heap (Johnson 1975, "Priority queues with update and
// finding minimum spanning trees") of distinct times.
//
// # Deviations
//
//  1. sim.SerialEngine is not first-in first-out among equal times and ignores handlers' errors.
//     This engine is first-in first-out and stops at an error.
//  2. sim.DirectConnection delivers to Dst only and has one clock for all ends;
//     a Wire of two ends delivers to the other one, and each end has its own.
//  3. sim.DirectConnection holds a source back after a message whose receiver
//     is full, even if the next message is for another receiver; a Wire holds
//     back only messages for that receiver.
//  4. The time of an offer is the engine's; sim.DirectConnection takes the message's SendTime.
package engine
