package pmpi

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/workloads/comm"
)

// call adds one MPI call.
func (m *rank) call(l *callLine, start, stop float64) error {
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
	c := operations{blocking: true, request: -1}
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
		m.Wait(m.Do(c.ops[0], false), m.Do(c.ops[1], false))
		return nil
	}
	i := 0
	for _, o := range c.ops {
		i = m.Do(o, c.blocking)
	}
	if c.request >= 0 {
		m.requests[uint64(l.int(c.request))] = i
	}
	return l.err
}

// waits reads a Wait or a Waitall.
func (m *rank) waits(l *callLine, start, stop float64) error {
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
	m.Wait(ended...)
	return nil
}

// operations has the kind of a call, and the index of its request argument; -1 for none.
type operations struct {
	ops      []comm.Op
	blocking bool
	request  int
}

// messages reads a call of one message or two; false: it is none of them.
func (c *operations) messages(m *rank, l *callLine, name string) bool {
	message := func(kind comm.Kind, first int) comm.Op { // buffer, count, type, peer, tag, communicator
		o := comm.Op{Kind: kind, Bytes: l.bytes(first+1, first+2)}
		peer, tag := l.int(first+3), l.int(first+4)
		if l.err == nil && (peer >= comm.MaxRanks || tag < comm.AnyTag) {
			l.err = fmt.Errorf("%s: rank %d, tag %d", l.name, peer, tag)
		}
		if peer < 0 && !(kind == comm.Recv && peer == comm.AnySource) { // MPI_PROC_NULL
			return comm.Op{Kind: comm.Join}
		}
		o.Peer, o.Tag = int32(peer), tag
		return o
	}
	switch name {
	case "Send", "Rsend", "Bsend", "Ssend":
		o := message(comm.Send, 0)
		o.Sync = name == "Ssend"
		l.world(5, m.number)
		c.blocking = name != "Bsend"
		c.ops = append(c.ops, o)
	case "Recv":
		c.ops = append(c.ops, message(comm.Recv, 0))
		l.world(5, m.number)
	case "Isend", "Irecv", "Irsend", "Issend", "Ibsend":
		kind := comm.Send
		if name == "Irecv" {
			kind = comm.Recv
		}
		o := message(kind, 0)
		o.Sync = name == "Issend"
		l.world(5, m.number)
		c.blocking, c.request = false, 6
		c.ops = append(c.ops, o)
	case "Sendrecv":
		c.ops = append(c.ops, message(comm.Send, 0), message(comm.Recv, 5))
		l.world(10, m.number)
		c.blocking = false
	default:
		return false
	}
	return true
}

// collective reads a call of all ranks; false: it is none of them.
func (c *operations) collective(m *rank, l *callLine, name string) bool {
	switch name {
	case "Barrier":
		l.world(0, m.number)
		c.ops = append(c.ops, comm.Op{Kind: comm.Collective, Coll: comm.Barrier})
	case "Allreduce", "Iallreduce":
		c.ops = append(c.ops, comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Bytes: l.bytes(2, 3)})
		l.world(5, m.number)
		if name == "Iallreduce" {
			c.blocking, c.request = false, 6
		}
	case "Bcast":
		c.ops = append(c.ops, comm.Op{Kind: comm.Collective, Coll: comm.Broadcast, Bytes: l.bytes(1, 2), Peer: int32(l.int(3))})
		l.world(4, m.number)
	case "Reduce":
		c.ops = append(c.ops, comm.Op{Kind: comm.Collective, Coll: comm.Reduce, Bytes: l.bytes(2, 3), Peer: int32(l.int(5))})
		l.world(6, m.number)
	case "Allgather":
		c.ops = append(c.ops, comm.Op{Kind: comm.Collective, Coll: comm.AllGather, Bytes: l.bytes(1, 2)})
		l.world(6, m.number)
	case "Alltoall":
		o := comm.Op{Kind: comm.Collective, Coll: comm.AllToAll, Bytes: l.bytes(1, 2)}
		o.Bytes *= uint64(max(1, min(comm.MaxRanks, l.world(6, m.number))))
		c.ops = append(c.ops, o)
	case "Gather":
		c.ops = append(c.ops, comm.Op{Kind: comm.Collective, Coll: comm.Gather, Bytes: l.bytes(1, 2), Peer: int32(l.int(6))})
		l.world(7, m.number)
	case "Scatter":
		c.ops = append(c.ops, comm.Op{Kind: comm.Collective, Coll: comm.Scatter, Bytes: l.bytes(4, 5), Peer: int32(l.int(6))})
		l.world(7, m.number)
	case "Scan", "Exscan": // from rank to rank
		n := l.bytes(2, 3)
		size := l.world(5, m.number)
		tag := comm.ExpandedTag + m.scans
		m.scans++
		if m.number > 0 {
			c.ops = append(c.ops, comm.Op{Kind: comm.Recv, Peer: int32(m.number - 1), Tag: tag, Bytes: n})
		}
		if m.number+1 < size {
			c.ops = append(c.ops, comm.Op{Kind: comm.Send, Peer: int32(m.number + 1), Tag: tag, Bytes: n})
		}
	default:
		return false
	}
	return true
}
