// Package link simulates one CXL link in both directions: serialisation, credits,
// acknowledgement, retry, and arbitration between CXL.io and CXL.cache/mem. It is a state machine
// without engine: the caller passes times, in whole picoseconds. New returns an error for an
// impossible Config.
//
//	l, err := link.New(link.DefaultConfig(), sink)
//	l.Push(0, flit.Message{Class: flit.M2SReq})
//	for t := l.Next(); t != link.Never; t = l.Next() {
//		l.Run(t) // calls sink for arrivals
//	}
//
// # Serialisation
//
// Each direction sends one flit after the other; fractions of a picosecond are kept. Up to 32
// GT/s 130 bits are sent for 128, unless both ends agree to leave the sync header out (Bypass,
// CXL 2.0 section 6.8); at 64 GT/s, which has flits of 256 B only, none are added. Over UCIe none are either. A flit starts
// when there is something to send and the direction is free. The receiver has it Latency after
// its last bit was sent.
//
// # Credits
//
// A message takes a credit of its class when its header is packed. The receiver's owner calls
// Release when the buffer is free. The credit returns in the header of the next flit of the other
// direction: a power of two up to 64 per channel type, of cache or of mem, whichever has more to
// return. Without such a flit one is sent for credits. All-data flits return none.
//
// # Retry
//
// Every flit with a sequence number is kept until it is acknowledged, by eights; a full buffer
// stops the sender. A receiver of a wrong flit drops all later ones and requests a replay (five
// RETRY.Frame, one RETRY.Req); the sender answers (five RETRY.Frame, one RETRY.Ack) and replays
// from the wrong flit on. If request or answer is lost, the request is repeated after Timeout
// flits. With p the probability of a wrong flit, and N the flit times from the start of a wrong
// flit to the start of its replay, goodput is (1-p)/(1+p(N-1)); N is measured, see Counters. It
// is the shortest replay, and Timeout for each request or answer that is lost: with p and q of
// the two directions N is about N0 + Timeout s/(1-s), s = 1-(1-p)(1-q), 239 in place of 17 flits
// at a bit error rate of 1e-4 one way. Errors of the other direction cost a share x of the time:
// six flits for each of its requests, and waits for Acks whenever its replay lasts longer than
// the retry buffer. Goodput is then (1-x)(1-p)/(1+p(N-1)).
//
// Bit errors are independent. A flit of 68 B is wrong if any of its 528 bits is wrong, one of 256
// B if its FEC cannot repair it: two wrong bytes in one of the three groups. Over UCIe, which has no FEC, any wrong bit makes a flit wrong.
//
// # Putting off
//
// Half of the flits of a link that is not saturated carry only credits and Acks. RunDue simulates
// them only when a message waits for them, or with the next flit that carries a message; Run
// simulates each at its time. Times of messages are equal. A link with bit errors postpones
// nothing.
//
// A calm link reports the arrival of a message when its header leaves, and has no event until
// another header may leave. The flits in between are simulated at the next call, in order of
// time.
//
// # Sources
//
// Compute Express Link 2.0, section 4.2 (68 B link layer); 3.1, section 4.3;
// targets of section 13: message to Ack 65 ns, credit received to flit sent 50 ns.
//
// # Left out
//
// Initialisation, link power states, lane failures, viral, poison of replays. CXL.io shares the
// retry of cache and mem; in 68 B flits of the specification it has its own.
//
// # Deviations
//
//  1. Idle flits are not sent: on an idle link a flit starts at once, where a real link first
//     ends an idle flit.
//  2. Flits of 256 B are acknowledged by eights like those of 68 B, not by sequence numbers.
package link
