package fabric

import "fmt"

// Check counts flits and credits: what was injected is in a buffer, on a channel
// or has come; what an output has sent and not been credited for is in the
// buffer at its far end, on the way there, or a credit on the way back. It looks at
// everything, and is meant for the end of a run and for tests.
func (n *Network) Check() error {
	if n.ioq != nil {
		return n.ioq.check()
	}
	flits, used, sent := n.found()
	if flits != n.InFlight() {
		return fmt.Errorf("fabric: %d flits injected, %d come, %d in the network", n.InFlight()+n.Ejected(), n.Ejected(), flits)
	}
	for i := range n.lanes {
		if n.lanes[i].used != used[i] || used[i] > n.most {
			return fmt.Errorf("fabric: router %d port %d VC %d: %d flits without credit, %d of them found, room for %d", i/n.pv, i%n.pv/n.v, i%n.v, n.lanes[i].used, used[i], n.most)
		}
	}
	for i := range n.sent {
		if n.sent[i] != sent[i] || sent[i] > n.most {
			return fmt.Errorf("fabric: terminal %d VC %d: %d flits without credit, %d of them found, room for %d", i/n.v, i%n.v, n.sent[i], sent[i], n.most)
		}
	}
	return n.checkShared(used, sent)
}

// CheckEnd is Check for the end of a run: every packet that was sent has come or is lost.
func (n *Network) CheckEnd() error {
	if err := n.Check(); err != nil {
		return err
	}
	got, lost := n.sum(func(c *counts) uint64 { return c.gotPackets }), n.Losses().Packets
	if n.sentPackets != got+lost {
		return fmt.Errorf("fabric: %d packets sent, %d come, %d lost", n.sentPackets, got, lost)
	}
	return nil
}

// checkShared compares the shared parts of ports with the flits that were found.
func (n *Network) checkShared(used, sent []int32) error {
	for i := range n.ports {
		if got := n.poolOf(used[i*n.v : (i+1)*n.v]); got != n.ports[i].pool || int(got) > n.cfg.Shared {
			return fmt.Errorf("fabric: router %d port %d: %d flits in the shared part, %d of them found, room for %d", i/n.p, i%n.p, n.ports[i].pool, got, n.cfg.Shared)
		}
	}
	for i := range n.nics {
		if got := n.poolOf(sent[i*n.v : (i+1)*n.v]); got != n.nics[i].pool || int(got) > n.cfg.Shared {
			return fmt.Errorf("fabric: terminal %d: %d flits in the shared part, %d of them found, room for %d", i, n.nics[i].pool, got, n.cfg.Shared)
		}
	}
	return nil
}

// found counts the flits in buffers and on channels, and those of each output lane and
// each virtual channel of a terminal that are without credit.
func (n *Network) found() (flits uint64, used, sent []int32) {
	used = make([]int32, len(n.lanes)) // output lanes
	sent = make([]int32, len(n.sent))
	hold := func(lane int) { // a slot of the input lane is taken
		q := &n.ports[lane/n.v]
		if q.terminal {
			sent[int(q.peer)*n.v+lane%n.v]++
		} else {
			used[int(q.peer)*n.v+lane%n.v]++
		}
	}
	for i := range n.lanes {
		flits += uint64(n.lanes[i].count)
		for range n.lanes[i].count {
			hold(i)
		}
		if l := &n.lanes[i]; l.promised > 0 {
			used[(i/n.pv*n.p+l.out())*n.v+int(l.outVC)] += l.promised
		}
	}
	router := func(e arrival) {
		flits++
		hold(int(e.lane))
	}
	for i := range n.ports {
		n.owner(i).outstanding(&n.credits[i], func(vc int) { used[i*n.v+vc]++ })
	}
	for t := range n.nics {
		n.home(t).outstanding(&n.credits[len(n.ports)+t], func(vc int) { sent[t*n.v+vc]++ })
	}
	for _, p := range n.parts {
		for i := range p.wheel {
			for _, e := range p.wheel[i].terminals.arrivals() {
				flits++
				used[e.lane]++
			}
			for _, e := range p.wheel[i].routers.arrivals() {
				router(e)
			}
		}
		for _, half := range p.posts {
			for _, to := range half {
				for _, x := range to {
					router(x.arrival)
				}
			}
		}
		for _, half := range p.backs {
			for _, to := range half {
				for _, x := range to {
					used[x.lane]++
				}
			}
		}
	}
	for i := range n.nics {
		for _, l := range n.nics[i].owed {
			used[l]++
		}
	}
	return flits, used, sent
}
