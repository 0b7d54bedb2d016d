package coherence

// snooped takes a BISnp, or a D2H request for a line of the device's memory.
//
// A BISnp for a line with a request of this host in flight must find out which of them the device
// saw first, by BIConflict and BI-ConflictAck. A D2H request does not need that: the device
// serves requests of the host while it waits, so the host finishes its own first.
func (h *Host) snooped(m Message) {
	k, busy := h.index[m.Addr]
	if !busy {
		k = h.open(m.Addr)
	}
	p := &h.pend[k]
	if p.snoop != None {
		h.unexpected(m)
	}
	p.snoop, p.tag, p.shake = m.Op, m.Tag, calm
	if p.req != None && !p.cmp && backInvalidate(m.Op) {
		p.shake = asking
		h.sink.Send(Message{Op: BIConflict, Host: h.id, Tag: uint32(k), Addr: p.addr})
	}
	h.settle(k)
}

func backInvalidate(o Op) bool { return o == BISnpInv || o == BISnpData || o == BISnpCur }

// answer answers the snoop of a line from its present state. A modified line is written first;
// the answer follows its Cmp.
func (h *Host) answer(k int32) {
	p := &h.pend[k]
	s := h.Cache.State(p.addr)
	left := s // what the host keeps
	switch p.snoop {
	case BISnpInv, RdOwn, RdOwnNoData, CLFlush, WOWrInvF:
		left = I
	case BISnpData, RdShared, RdAny:
		left = min(s, S)
	default: // BISnpCur, RdCurr
		left = min(s, E)
	}
	if s == M {
		value := h.Cache.Value(p.addr)
		h.Cache.turn(p.addr, left)
		if left == I {
			h.Count.Invalidated++
		}
		h.write(k, left, value)
		return
	}
	h.Cache.turn(p.addr, left)
	switch {
	case left != I:
		h.Count.Left++
	case s != I:
		h.Count.Invalidated++
	}
	m := Message{Op: [...]Op{BIRspI, BIRspS, BIRspE}[left], Host: h.id, Meta: left, Tag: p.tag, Addr: p.addr}
	switch {
	case p.snoop == WOWrInvF:
		m.Op = MemWrFwd
	case !backInvalidate(p.snoop):
		m.Op = MemRdFwd
	}
	p.snoop, p.shake = None, calm
	h.sink.Send(m)
}
