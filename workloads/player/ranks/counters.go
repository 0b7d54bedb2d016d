package ranks

import "sync/atomic"

// counters of a whole run, in messages, bytes and cycles.
type counters struct {
	ops         uint64
	done        atomic.Uint64
	last        uint64 // cycle of the last end
	messages    uint64 // of programs and collectives
	bytes       uint64
	control     uint64 // requests, grants, acknowledgements
	onNetwork   uint64
	received    uint64
	collectives uint64
	matched     uint64 // messages of the program that met their receive
	latencySum  uint64
	latencyMax  uint64
}

func (n *counters) sent(m *Message) {
	n.onNetwork++
	switch m.kind {
	case request, grant, ack:
		n.control++
	case piece, segment: // counted with its message
	default:
		n.messages++
		n.bytes += m.Bytes
	}
}

func (n *counters) latency(cycles uint64) {
	n.matched++
	n.latencySum += cycles
	n.latencyMax = max(n.latencyMax, cycles)
}
