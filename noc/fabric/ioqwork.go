package fabric

import "github.com/causeway-sim/causeway/noc/fabric/setting"

// work is one cycle of a router.
func (q *ioq) work(r int) {
	n := q.n
	for range n.cfg.Iterations {
		asked := false
		for in := range n.p {
			q.asks[in] = q.ask(r, in)
			asked = asked || q.asks[in].out != none
		}
		if !asked {
			break
		}
		for out := range n.p {
			q.grant(r, out)
		}
	}
	idle := true
	for out := range n.p {
		at := r*n.p + out
		if q.outs[at].first != 0 {
			q.send(r, out)
			idle = false
		}
		for vc := 0; idle && vc < n.v; vc++ {
			idle = q.lanes[at*n.v+vc].first == 0
		}
	}
	if idle {
		n.parts[0].awake[r>>6] &^= 1 << (r & 63)
	}
}

// ask chooses the virtual channel of an input that asks in this iteration.
func (q *ioq) ask(r, in int) ask {
	n := q.n
	at := r*n.p + in
	if q.ins[at].busy > n.parts[0].now {
		return ask{out: none}
	}
	order := q.order[at*n.v : (at+1)*n.v]
	for i, vc := range order {
		id := q.lanes[at*n.v+int(vc)].first
		if id == 0 {
			continue
		}
		p := n.pool.at(id)
		out, class := q.route(r, p)
		o := r*n.p + out
		outVC := 0
		if n.ports[o].terminal {
			if q.outs[o].used+p.flits > int32(n.cfg.OutputDepth) {
				continue
			}
		} else if outVC = q.room(o, class, p.flits); outVC == none || q.outs[o].busy > n.parts[0].now {
			continue
		}
		copy(order[i:], order[i+1:])
		order[len(order)-1] = vc
		return ask{out: int16(out), vc: int16(vc), outVC: uint8(outVC)}
	}
	return ask{out: none}
}

// route asks the routing about a packet, again if it stands here already. The class
// counts those of all virtual networks.
func (q *ioq) route(r int, p *packet) (out, class int) {
	n := q.n
	first := int(p.net) * n.classes
	v := &n.parts[0].view
	v.router, v.draws, v.flits, v.first = r, r, p.flits, first
	hop := n.cfg.Routing.Next(v, &p.Packet)
	p.Again = true
	class = first + max(hop.Class, 0)
	p.way = wayTo(hop.Port, n.class[class], n.class[class])
	return hop.Port, class
}

// waitsFor is Network.waitsFor: the lane at the other end of the output that the
// first packet of a lane last asked for.
func (q *ioq) waitsFor(at int) int {
	n := q.n
	id := q.lanes[at].first
	if id == 0 {
		return none
	}
	p := n.pool.at(id)
	out := &n.ports[at/n.pv*n.p+p.out()]
	if out.terminal {
		return none
	}
	return int(out.peer)*n.v + int(p.lo())
}

// grant lets an output take one of the packets that ask for it. An output to a
// terminal takes nothing while it sends.
func (q *ioq) grant(r, out int) {
	n := q.n
	o := r*n.p + out
	if n.ports[o].peer == none || q.outs[o].busy > n.parts[0].now && !n.ports[o].terminal || q.outs[o].link > n.parts[0].now<<setting.TickBits && n.ports[o].terminal {
		return
	}
	turn := q.turn[o*n.p : (o+1)*n.p]
	for i, in := range turn {
		a := q.asks[in]
		if int(a.out) != out {
			continue
		}
		// Inputs from routers stand before those from terminals, and stay there.
		end := i
		for end+1 < n.p && n.ports[r*n.p+int(turn[end+1])].terminal == n.ports[r*n.p+int(in)].terminal {
			end++
		}
		copy(turn[i:end], turn[i+1:end+1])
		turn[end] = in
		q.cross(r, int(in), o, a)
		return
	}
}

// cross takes the first packet of a virtual channel through the switch.
func (q *ioq) cross(r, in, o int, a ask) {
	n := q.n
	at := r*n.p + in
	lane := &q.lanes[at*n.v+int(a.vc)]
	id := lane.first
	p := n.pool.at(id)
	lane.first = p.next

	S := int64(p.flits)
	cross := (S + int64(n.cfg.Speedup) - 1) / int64(n.cfg.Speedup)
	length := max(cross, q.times[id].tail-n.parts[0].now)
	q.ins[at].busy = n.parts[0].now + length
	q.outs[o].busy = n.parts[0].now + cross
	q.outs[o].used += p.flits
	q.outs[o].push(n, id)
	n.parts[0].flitHops += uint64(S)
	n.parts[0].lastMove = n.parts[0].now

	// The credit for the buffer that is left.
	if from := &n.ports[at]; from.terminal {
		n.sent[int(from.peer)*n.v+int(a.vc)] -= p.flits
	} else {
		n.sense.credit(from.peer, p.flits)
		s := q.slot(n.parts[0].now + int64(from.latency) + int64(n.cfg.CreditDelay))
		s.credits = append(s.credits, arrival{lane: from.peer*int32(n.v) + int32(a.vc), flit: p.flits})
	}
	p.vc = a.outVC
	entry := n.parts[0].now + int64(n.cfg.CrossbarDelay)
	q.times[id] = times{entry, entry + length}
	if !n.ports[o].terminal {
		p.Hops++
		if p.sampled {
			n.watch.Pass(id, r)
		}
		n.lanes[o*n.v+int(a.outVC)].used += p.flits
		n.ports[o].used += p.flits
		if n.ports[o].carried += uint32(p.flits); n.ports[o].carried < uint32(p.flits) {
			n.parts[0].wrap(o)
		}
	}
	p.Again = false
}

// send starts the first packet that waits for an output on its channel.
func (q *ioq) send(r, out int) {
	n := q.n
	o := r*n.p + out
	to := &q.outs[o]
	id := to.first
	p := n.pool.at(id)
	port := &n.ports[o]
	if to.link > n.parts[0].now<<setting.TickBits || q.times[id].entry > n.parts[0].now || port.terminal && n.nics[port.peer].held {
		return
	}
	to.first = p.next
	to.used -= p.flits
	to.link = max(setting.After(n.parts[0].now, to.link, int64(p.flits)*int64(port.interval)), q.times[id].tail<<setting.TickBits)
	end := setting.Whole(to.link)
	n.sense.leave(int32(o), p.flits)
	n.parts[0].lastMove = n.parts[0].now
	if port.terminal {
		n.sense.come(int32(o), p.flits)
		s := q.slot(end)
		s.deliver = append(s.deliver, id)
		return
	}
	q.times[id] = times{n.parts[0].now + int64(port.latency), end + int64(port.latency)}
	s := q.slot(q.times[id].entry)
	s.arrive = append(s.arrive, arrival{lane: port.peer*int32(n.v) + int32(p.vc), flit: id})
}
