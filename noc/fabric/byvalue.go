package fabric

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/network"
)

// driven is a network whose terminals are driven by value: without messages, links and
// events between the player and the network.
type driven struct {
	source network.Source
	crew   workerCrew
	// tasks that go on, while an observer follows them: then one worker takes a cycle at a
	// time, so that they are reported in their order.
	tasks    map[int32]task.ID
	flits    *flits // nil: no packets are asked for
	followed bool
	observed bool // bytes delivered are noted
	shell    *network.Comp
}

// Accepts implements network.ByValue: a packet is not split.
func (k *core) Accepts(flits int) bool {
	return (k.packet == 0 || flits <= k.packet) && k.n.outage == nil
}

// Drive implements network.ByValue.
func (k *core) Drive(s network.Source) (ends []int, lookahead int64) {
	k.n.split(k.proof)
	d := &driven{source: s, tasks: map[int32]task.ID{}, shell: k.shell}
	k.driven = d
	for _, p := range k.n.parts {
		p.driven = d
		ends = append(ends, p.endTerm)
	}
	return ends, k.n.lookahead
}

// Whole says why the network is one part.
func (k *core) Whole() string { return k.n.whole }

// Divide implements network.Divided.
func (k *core) Divide(cycles int64) { k.n.quantum = cycles }

// Late implements network.Divided.
func (k *core) Late() (events uint64) {
	for _, p := range k.n.parts {
		events += p.late
	}
	return events
}

// Last implements network.ByValue.
func (k *core) Last() (cycle int64) {
	for _, p := range k.n.parts {
		cycle = max(cycle, p.lastEvent)
	}
	return cycle
}

// Free implements network.ByValue.
func (k *core) Free(terminal int) bool { return k.n.nics[terminal].box[1] == 0 }

// Offer implements network.ByValue.
func (k *core) Offer(part, terminal, dst, flits int, due int64) (id int32) {
	p := k.n.parts[part]
	id, _ = p.make(terminal, dst, flits, due)
	q := &k.n.nics[terminal]
	if q.box[0] == 0 {
		q.box[0] = id
		i := terminal - p.term
		p.boxed[i>>6] |= 1 << (i & 63)
	} else {
		q.box[1] = id
	}
	return id
}

// take lets terminals with an empty queue take the packet that waits first.
func (p *part) take() {
	n := p.n
	for w := range p.boxed {
		for set := p.boxed[w]; set != 0; set &= set - 1 {
			t := p.term + w*64 + bits.TrailingZeros64(set)
			q := &n.nics[t]
			if q.first != 0 {
				continue
			}
			id := q.box[0]
			q.box[0], q.box[1] = q.box[1], 0
			if q.box[0] == 0 {
				p.boxed[w] &^= set & -set
			}
			q.first, q.last = id, id
			p.queued(t)
			x := n.pool.at(id)
			late := p.now - x.created
			if late != int64(int32(late)) {
				panic("fabric: a packet has waited for more than 2^31 cycles")
			}
			x.tag, x.created = int32(late), p.now
			x.sampled = p.sample()
			p.send(x)
			if p.value.Taken == 0 {
				p.value.First = uint64(p.now)
			}
			p.value.Taken++
			p.value.Flits += uint64(x.flits)
			if p.driven.followed {
				p.driven.begin(id, x)
			}
		}
	}
}

// arrived hands a packet that has come to the source.
func (p *part) arrived(id int32, x *packet) {
	latency := uint64(p.now - x.created)
	v := &p.value
	v.Arrived++
	v.GotFlits += uint64(x.flits)
	v.Latency += latency
	v.Inside += uint64(p.now - x.injected)
	v.Longest = max(v.Longest, latency)
	v.Hops += uint64(x.Hops)
	v.Last = uint64(p.now)
	if p.driven.followed {
		p.driven.end(id)
	}
	if p.driven.observed {
		p.delivered = append(p.delivered, delivery{x.Dst, x.flits, p.now})
	}
	y := &p.packet // field by field, see push
	y.ID, y.Src, y.Dst, y.Flits, y.Hops = id, x.Src, x.Dst, x.flits, int32(x.Hops)
	y.Due, y.Taken, y.Injected, y.Arrived = x.created-int64(x.tag), x.created, x.injected, p.now
	p.driven.source.Come(p.id, y)
}

// begin and end report a packet as the task of a message.
func (d *driven) begin(id int32, x *packet) {
	if t := d.shell.BeginPacket(d.source.Cause(id), x.flits); t != 0 {
		d.tasks[id] = t
	}
}

func (d *driven) end(id int32) {
	if t, ok := d.tasks[id]; ok {
		d.shell.EndPacket(t)
		delete(d.tasks, id)
	}
}

// A delivery is a packet that has come to a terminal whole.
type delivery struct {
	terminal, flits int32
	cycle           int64
}

// deliver tells the shell what has come to the terminals of the parts.
func (d *driven) deliver(parts []*part) {
	for _, p := range parts {
		for _, x := range p.delivered {
			d.shell.Delivered(int(x.terminal), x.flits, x.cycle)
		}
		p.delivered = p.delivered[:0]
	}
}

// Run implements network.ByValue.
func (k *core) Run(from, to int64, offered bool, workers int) error {
	n, d := k.n, k.driven
	if n.Now() < from+1 {
		n.moveTo(from + 1)
	}
	d.observed = k.shell.Observes()
	for from < to {
		end := min(to, from-from%n.window+n.window) // windows do not depend on who looks when
		d.followed = k.shell.Followed() || len(d.tasks)+d.flits.open() > 0
		if d.followed {
			end = from + 1
			k.follow(end)
		}
		n.ordered = d.followed
		switch w := min(workers, len(n.parts)); {
		case d.followed:
			n.together(from, offered)
		case w > 1:
			d.crew.run(n.parts, from, end, offered, w)
		case k.scaling != nil:
			k.scaling.run(n.parts, from, end, offered)
		default:
			for _, p := range n.parts {
				p.run(from, end, offered)
			}
		}
		from, offered = end, false
		if d.observed {
			d.deliver(n.parts)
		}
	}
	n.publish()
	var t network.Tally
	for _, p := range n.parts {
		t.Add(&p.value)
		p.value = network.Tally{}
	}
	k.shell.Tally(&t, uint64(to))
	if n.frozen() {
		return &engine.Stuck{Time: instant.Of(k.shell.Clock(), uint64(to)), Reason: "no flit moves in " + k.name, Waits: k.Waiting()}
	}
	return nil
}

// follow prepares a cycle whose tasks are reported.
func (k *core) follow(cycle int64) {
	if k.n.watch == nil && k.shell.Watched() {
		k.driven.flits = k.watcher(func(id int32, _ *packet) task.ID { return k.driven.tasks[id] })
		k.n.watch = k.driven.flits
	}
	k.shell.At(cycle)
}

// run simulates the cycles of a window.
func (p *part) run(from, to int64, offered bool) {
	p.beginWindow(from)
	for c := from; c < to; c++ {
		if !offered || c > from {
			p.driven.source.Offer(p.id, c)
		}
		p.take()
		p.cycle()
	}
}

// beginWindow begins a window, if one begins in a cycle.
func (p *part) beginWindow(cycle int64) {
	if len(p.n.parts) > 1 && cycle%p.n.window == 0 {
		p.collect()
	}
}

func (p *part) cycle() {
	if p.n.ioq != nil {
		p.n.ioq.step()
	} else {
		p.step()
	}
}

// together simulates a cycle of all parts, in the order in which messages would go: so
// tasks have the numbers that they have then.
func (n *Network) together(from int64, offered bool) {
	for _, p := range n.parts {
		p.beginWindow(from)
		if !offered {
			p.driven.source.Offer(p.id, from)
		}
	}
	for _, p := range n.parts {
		p.take()
	}
	for _, p := range n.parts {
		p.cycle()
	}
}
