package ranks

import "github.com/causeway-sim/causeway/components/clock"

// A stream is the messages of a rank that follow each other while the former are being
// fed. All of them together take the time of nic.stream by their bytes, so that a message
// that follows finds the stream where the former have brought it.
type stream struct {
	start uint64 // cycle in which the first message began
	bytes uint64 // of all messages so far
	end   uint64 // cycle in which all of them are fed
}

// take adds a message that may leave at a cycle to the stream, or begins a new one, and
// returns the cycles between which the stream feeds it.
func (s *stream) take(n *nic, c clock.Clock, at, bytes uint64) (from, to uint64) {
	if len(n.Stream) == 0 {
		return at, at
	}
	if at >= s.end {
		*s = stream{start: at, end: at}
	}
	from = s.end
	s.bytes += bytes
	s.end = max(from, s.start+n.Stream.In(c, s.bytes))
	return from, s.end
}
