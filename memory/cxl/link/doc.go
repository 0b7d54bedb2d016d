// Package link moves flits over one CXL link in both directions: serialisation,
// credits, acknowledgement, retry, and the multiplexer between CXL.io and
// CXL.cache/mem. It is a pure state machine; time is in picoseconds, as whole
// numbers, given by the caller.
//
//	l, err := link.New(link.DefaultConfig(), sink)
//	l.Push(0, flit.Message{Class: flit.M2SReq})
//	for t := l.Next(); t != link.Never; t = l.Next() {
//		l.Run(t) // tells sink what has arrived
//	}
//
// # Serialisation
//
// Each direction sends one flit after the other, each as long as its bits take,
// exactly: fractions of a picosecond are kept. Up to 32 GT/s 130 bits are sent for
// 128, unless both ends agree to leave the sync header out (Bypass, CXL 2.0 section
// 6.8); at 64 GT/s, which has flits of 256 B only, none are added. A flit
// begins when something is there to send and the direction is free; it is there for
// the receiver when its last bit has come, Latency later.
//
// # Credits
//
// A message takes a credit of its class when its header is packed. The receiver's
// owner calls Release when the buffer is free again; the credit goes back in the
// header of the next flit of the other direction, at most 64 of a kind, in a power
// of two, of cache or of mem, whichever has more to return. Where there is no flit
// to go with, one is sent for it. Flits of data alone return nothing.
//
// # Retry
//
// Every flit with a sequence number is kept until it is acknowledged, eight at a
// time; a full buffer stops the sender. A receiver that sees a wrong flit drops
// what follows and asks for a replay (five RETRY.Frame, one RETRY.Req); the sender
// answers (five RETRY.Frame, one RETRY.Ack) and sends again from the wrong flit on.
// If request or answer is lost, the request is repeated after Timeout flits. With p
// the probability of a wrong flit, and N the flit times from the start of a wrong
// flit to the start of its replay, goodput is (1-p)/(1+p(N-1)); N is measured, see
// Counters. It is the shortest replay, and Timeout for each request or answer that
// is lost: with p and q of the two directions N is about N0 + Timeout s/(1-s), s =
// 1-(1-p)(1-q), 239 in place of 17 flits at a bit error rate of 1e-4 one way. Errors
// of the other direction cost a share x of the time: six flits for each of its
// requests, and waits for Acks whenever its replay lasts longer than the retry
// buffer. Goodput is then (1-x)(1-p)/(1+p(N-1)).
//
// Errors of bits are independent. A flit of 68 B is wrong if any of its 528 bits
// is. One of 256 B is, if its FEC cannot repair it: two wrong bytes in one of the
// three groups.
//
// # Putting off
//
// Half of the flits of a link that is not full bring credits and Acks alone. RunDue takes
// them only when a message waits for what they bring, or with the next flit that brings a
// message; Run takes each in its time. Messages leave and arrive at the same times with
// either. A link with bit errors puts nothing off.
//
// A calm link goes further: when a header leaves it tells at once when its message will
// arrive, which nothing can change any more, and has no event until another header may
// leave. All flits in between depart and arrive when something is brought, in the order
// of their times.
//
// # Sources
//
// Compute Express Link 2.0, section 4.2 (68 B link layer); 3.1, section 4.3;
// targets of section 13: message to Ack 65 ns, credit received to flit sent 50 ns.
//
// # Left out
//
// Initialisation, link power states, lane failures, viral, poison of replays. CXL.io
// has the retry of cache and mem here; in 68 B flits it has one of its own.
//
// # Deviations
//
//  1. Idle flits are not sent: a flit may begin at any picosecond of an idle link,
//     where real ones wait for the end of an idle flit.
//  2. Flits of 256 B are acknowledged by eights like those of 68 B, not by sequence
//     numbers.
package link
