package comm

import (
	"fmt"
	"strings"
)

// call takes in one call of MPI.
func (m *pmpiRank) call(l *pmpiLine, start, stop float64) error {
	name := strings.TrimPrefix(l.name, "MPI_")
	switch name {
	case "Init", "Init_thread":
		m.last, m.timed = stop, true
		return nil
	case "Wait", "Waitall":
		return m.waits(l, start, stop)
	case "Allgatherv", "Gatherv", "Scatterv", "Alltoallv", "Alltoallw", "Reduce_scatter", "Waitany", "Waitsome", "Start", "Startall",
		"Send_init", "Recv_init", "Iallgather", "Ibcast", "Ibarrier", "Ialltoall", "Ireduce", "Put", "Get", "Accumulate":
		return fmt.Errorf("%s is not read", l.name)
	}
	c := pmpiCall{blocking: true, request: -1}
	if !c.messages(m, l, name) && !c.collective(m, l, name) {
		return nil // takes time only
	}
	if l.err != nil {
		return l.err
	}
	if len(c.ops) == 0 {
		return nil
	}
	if err := m.gap(start, stop); err != nil {
		return err
	}
	if name == "Sendrecv" {
		m.wait(m.do(c.ops[0], false), m.do(c.ops[1], false))
		return nil
	}
	i := 0
	for _, o := range c.ops {
		i = m.do(o, c.blocking)
	}
	if c.request >= 0 {
		m.requests[uint64(l.int(c.request))] = i
	}
	return l.err
}

// waits reads a Wait or a Waitall.
func (m *pmpiRank) waits(l *pmpiLine, start, stop float64) error {
	first, n := 0, int64(1)
	if l.name == "MPI_Waitall" {
		first, n = 1, l.int(0)
	}
	at := uint64(l.int(first))
	if l.err != nil {
		return l.err
	}
	var ended []int
	for k := range uint64(min(max(n, 0), 1<<20)) {
		a := at + k*requestSize
		if i, ok := m.requests[a]; ok {
			ended = append(ended, i)
			delete(m.requests, a)
		}
	}
	if len(ended) == 0 {
		return nil
	}
	if err := m.gap(start, stop); err != nil {
		return err
	}
	m.wait(ended...)
	return nil
}

// pmpiCall is what a call does, and the argument with its request; -1: it has none.
type pmpiCall struct {
	ops      []Op
	blocking bool
	request  int
}

// messages reads a call of one message or two; false: it is none of them.
func (c *pmpiCall) messages(m *pmpiRank, l *pmpiLine, name string) bool {
	message := func(kind Kind, first int) Op { // buffer, count, type, peer, tag, communicator
		o := Op{Kind: kind, Bytes: l.bytes(first+1, first+2)}
		peer, tag := l.int(first+3), l.int(first+4)
		if l.err == nil && (peer >= MaxRanks || tag < AnyTag) {
			l.err = fmt.Errorf("%s: rank %d, tag %d", l.name, peer, tag)
		}
		if peer < 0 && !(kind == Recv && peer == AnySource) { // MPI_PROC_NULL
			return Op{Kind: Join}
		}
		o.Peer, o.Tag = int32(peer), tag
		return o
	}
	switch name {
	case "Send", "Rsend", "Bsend", "Ssend":
		o := message(Send, 0)
		o.Sync = name == "Ssend"
		l.world(5, m.number)
		c.blocking = name != "Bsend"
		c.ops = append(c.ops, o)
	case "Recv":
		c.ops = append(c.ops, message(Recv, 0))
		l.world(5, m.number)
	case "Isend", "Irecv", "Irsend", "Issend", "Ibsend":
		kind := Send
		if name == "Irecv" {
			kind = Recv
		}
		o := message(kind, 0)
		o.Sync = name == "Issend"
		l.world(5, m.number)
		c.blocking, c.request = false, 6
		c.ops = append(c.ops, o)
	case "Sendrecv":
		c.ops = append(c.ops, message(Send, 0), message(Recv, 5))
		l.world(10, m.number)
		c.blocking = false
	default:
		return false
	}
	return true
}

// collective reads a call of all ranks; false: it is none of them.
func (c *pmpiCall) collective(m *pmpiRank, l *pmpiLine, name string) bool {
	switch name {
	case "Barrier":
		l.world(0, m.number)
		c.ops = append(c.ops, Op{Kind: Collective, Coll: Barrier})
	case "Allreduce", "Iallreduce":
		c.ops = append(c.ops, Op{Kind: Collective, Coll: AllReduce, Bytes: l.bytes(2, 3)})
		l.world(5, m.number)
		if name == "Iallreduce" {
			c.blocking, c.request = false, 6
		}
	case "Bcast":
		c.ops = append(c.ops, Op{Kind: Collective, Coll: Broadcast, Bytes: l.bytes(1, 2), Peer: int32(l.int(3))})
		l.world(4, m.number)
	case "Reduce":
		c.ops = append(c.ops, Op{Kind: Collective, Coll: Reduce, Bytes: l.bytes(2, 3), Peer: int32(l.int(5))})
		l.world(6, m.number)
	case "Allgather":
		c.ops = append(c.ops, Op{Kind: Collective, Coll: AllGather, Bytes: l.bytes(1, 2)})
		l.world(6, m.number)
	case "Alltoall":
		o := Op{Kind: Collective, Coll: AllToAll, Bytes: l.bytes(1, 2)}
		o.Bytes *= uint64(max(1, min(MaxRanks, l.world(6, m.number))))
		c.ops = append(c.ops, o)
	case "Gather":
		c.ops = append(c.ops, Op{Kind: Collective, Coll: Gather, Bytes: l.bytes(1, 2), Peer: int32(l.int(6))})
		l.world(7, m.number)
	case "Scatter":
		c.ops = append(c.ops, Op{Kind: Collective, Coll: Scatter, Bytes: l.bytes(4, 5), Peer: int32(l.int(6))})
		l.world(7, m.number)
	case "Scan", "Exscan": // from rank to rank
		n := l.bytes(2, 3)
		size := l.world(5, m.number)
		tag := expandedTag + m.scans
		m.scans++
		if m.number > 0 {
			c.ops = append(c.ops, Op{Kind: Recv, Peer: int32(m.number - 1), Tag: tag, Bytes: n})
		}
		if m.number+1 < size {
			c.ops = append(c.ops, Op{Kind: Send, Peer: int32(m.number + 1), Tag: tag, Bytes: n})
		}
	default:
		return false
	}
	return true
}
