package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// keeper is the home agent of a root's local memory, which devices cache too:
// memory/cxl/coherence with times. What cores cache is in the host latency; here they
// have no cache.
type keeper struct {
	*coherence.Home
	f    *fabric
	root *Root
	now  int64
	desk desk
	soon []job // on their way to the memory, and back
	free []int32
	at   job   // that is being brought
	ref  int32 // the core's access that it is for; -1: none
	// going are the GO under way to a device, by line, and late the snoops that have
	// overtaken one: they wait for it.
	going map[goKey]int
	late  map[goKey]int32
}

type goKey struct {
	device int32
	addr   uint64
}

// keep makes the home agent of a root, if a device caches its memory.
func (r *Root) keep(f *fabric) {
	if r.keeper != nil {
		return
	}
	r.keeper = &keeper{f: f, root: r, ref: -1, going: map[goKey]int{}, late: map[goKey]int32{}}
	r.keeper.Home = coherence.NewHome(1, 0, r.keeper)
	r.keeper.stats()
}

// look has a line of a core looked up.
func (k *keeper) look(i int32, t int64) {
	l := &k.f.lines[i]
	kind := coherence.Load
	if l.write {
		if kind = coherence.Store; l.partial {
			kind = coherence.Update
		}
	}
	k.now = t
	k.Access(l.addr, kind, i, 0)
}

// Send implements coherence.HomeSink.
func (k *keeper) Send(m coherence.Message) {
	f := k.f
	d := f.devices[m.Host]
	i := f.freshLine(line{root: k.root.index, device: d.index, ld: d.first, addr: m.Addr})
	l := f.post(i, m)
	f.notes[l.note].peer = true
	if l.carries == flit.H2DRsp {
		k.going[goKey{d.index, m.Addr}]++
	}
	l.start, l.mark = k.now, k.now
	l.add(partPort, k.now+k.root.times.bridge+k.root.times.protocol)
	f.push(l.mark, i, stepIssue)
}

// Fetch implements coherence.HomeSink.
func (k *keeper) Fetch(id int32, addr uint64) {
	k.later(job{addr: addr, id: id, kind: fetch, asked: k.now}, stepFetch)
}

// Store implements coherence.HomeSink.
func (k *keeper) Store(addr, _ uint64) {
	k.later(job{addr: addr, kind: store, asked: k.now}, stepFetch)
}

// later has a job come to the memory, or back from it.
func (k *keeper) later(j job, s step) {
	var i int32
	if n := len(k.free); n > 0 {
		i = k.free[n-1]
		k.free = k.free[:n-1]
		k.soon[i] = j
	} else {
		i = int32(len(k.soon))
		k.soon = append(k.soon, j)
	}
	k.f.push(k.now+k.root.times.local, i<<8|k.root.index, s)
}

// came is called when a job is at the memory's port, or back from there.
func (k *keeper) came(i int32, s step, t int64) {
	j := k.soon[i]
	k.free = append(k.free, i)
	if s == stepFetch {
		j.taken = t
		k.desk.push(j)
		return
	}
	k.now, k.at, k.ref = t, j, k.Asker(j.id)
	k.Fetched(j.id, 0)
	k.ref = -1
}

// feed gives lines to the memory, as far as the wire takes them.
func (k *keeper) feed(now sim.VTimeInSec, t int64) error {
	r := k.root
	for !k.desk.empty() && r.local.CanSend() {
		n, j := k.desk.next()
		k.desk.known[n].taken = t
		home, port, _, _ := r.homes.Find(j.addr)
		if r.local.Send(r.slots.message(-1-n, j.kind == store, j.addr, home.Ports[port], nil, now)) != nil {
			return fmt.Errorf("cxl: %s: the wire refused a message after it had room", r.Name())
		}
	}
	return nil
}

// back takes an answer of the memory.
func (k *keeper) back(s *slot, t int64) {
	j := k.desk.done(s.line)
	if j.kind == store {
		return
	}
	if s.hint.Accepted > 0 {
		j.taken = max(j.taken, int64(instant.AtOrBefore(fine, s.hint.Accepted)))
	}
	j.back = t
	k.now = t
	k.later(j, stepBrought)
}

// Done implements coherence.HomeSink.
func (k *keeper) Done(ref int32, _ uint64) {
	l := &k.f.lines[ref]
	if ref == k.ref {
		l.add(partHost, k.at.asked) // for devices, and behind other accesses
		l.add(partPort, k.at.asked+k.root.times.local)
		l.add(partDRAMQueue, k.at.taken)
		l.add(partDRAM, k.at.back)
		l.add(partReturn, k.now)
	} else { // a write, which is over when it is in order
		l.add(partHost, k.now)
		l.add(partPort, k.now+k.root.times.local)
		l.add(partReturn, l.mark+k.root.times.local)
	}
	k.f.push(l.mark, ref, stepDone)
}

// reaches tells whether an address is in the root's local memory.
func (r *Root) reaches(addr uint64) bool {
	if r.homes == nil {
		return false
	}
	_, _, _, ok := r.homes.Find(addr)
	return ok
}

func (k *keeper) stats() {
	c, g := &k.Count, k.root.stats
	g.Count("device_requests", stats.Request, "Requests of devices for lines of the host's memory (D2H).", &c.Requests)
	g.Count("device_snoops", stats.One, "Snoops of devices' caches (H2D).", &c.Snoops)
	g.Count("device_pulls", stats.One, "Data pulled from devices.", &c.Pulls)
	g.Count("bogus_pulls", stats.One, "Pulled data that were not taken, because a snoop had taken them before.", &c.Bogus)
	g.Check("no line of the host's memory is left busy", func() error {
		if n := k.Busy(); n > 0 {
			return fmt.Errorf("%d lines", n)
		}
		return nil
	})
}
