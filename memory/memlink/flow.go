package memlink

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// accept cuts a request into operations.
func (c *Comp) accept(msg sim.Msg, now sim.VTimeInSec, t uint64) {
	q, ok := memory.RequestOf(msg)
	if !ok {
		panic(fmt.Sprintf("memlink: %s at %d ps: %T is no memory request", c.Name(), t, msg))
	}
	c.count.Count(q)
	addr, bytes := q.Addr, max(q.Bytes, 1)
	if page := uint64(c.spec.Operation.Page); page > 0 {
		end := (addr + bytes + page - 1) &^ (page - 1)
		addr &^= page - 1
		bytes = end - addr
	}
	i := take(&c.requests, request{msg: msg, at: t, hint: q.Hint, task: c.tasks.Begin(now, task.Link, task.ReadWrite(q.Write), q.Hint.Cause(), q.Bytes)})
	for size := uint64(c.spec.Operation.Size); bytes > 0; {
		n := min(bytes, size-addr&(size-1))
		c.requests.At(i).left++
		c.waiting.Push(take(&c.operations, operation{addr: addr, bytes: n, request: i, write: q.Write, began: t}))
		addr, bytes = addr+n, bytes-n
	}
}

// issue lets operations that wait begin; false: none did.
func (c *Comp) issue(t uint64) (any bool) {
	for c.waiting.Len() > 0 && c.under < c.spec.Outstanding {
		i := c.waiting.Pop()
		o := c.operations.At(i)
		c.under++
		any = true
		o.marks[partWait] = t
		at := t
		if c.delay.software > 0 {
			k := 0
			for j := range c.threads {
				if c.threads[j] < c.threads[k] {
					k = j
				}
			}
			at = max(t, c.threads[k]) + c.delay.software
			c.threads[k] = at
		}
		o.marks[partSoftware] = at
		c.events.Add(at+c.delay.issue, event{i, evIssue})
	}
	return any
}

// do handles an event.
func (c *Comp) do(e event, t uint64) error {
	switch e.kind {
	case evIssue:
		at := max(t, c.card)
		c.card = at + c.delay.interval
		c.events.Add(at, event{e.index, evDepart})
	case evDepart:
		c.depart(e.index, t)
	case evThere:
		c.packets.At(e.index).there = t
		c.events.Add(t+c.delay.access, event{e.index, evAsk})
	case evAsk:
		p := c.packets.At(e.index)
		o := c.operations.At(p.operation)
		p.asked = t
		d := order{addr: p.addr, bytes: p.bytes, packet: e.index, write: o.write, frees: p.frees}
		if h := c.requests.At(o.request).hint; h != nil {
			d.hint = *h
			d.hint.Next = nil
		}
		if id := c.requests.At(o.request).task; id != 0 {
			d.hint.Task = id
		}
		n, err := c.far.push(d)
		p.pieces = n
		return err
	case evBack:
		c.repay(home, 1, t)
		c.back(e.index, t)
	case evCredit:
		c.pass(int(e.index), t)
	case evThrough:
		c.through(e.index, t)
	}
	return nil
}

// depart gives the packets of an operation to the link: a request for data, or the data.
func (c *Comp) depart(i int32, t uint64) {
	o := c.operations.At(i)
	o.marks[partIssue] = t
	c.count.operations++
	c.count.moved[index(o.write)] += o.bytes
	size := uint64(c.spec.Packet)
	o.left = int32((o.bytes + size - 1) / size)
	if !o.write {
		c.offer(away, linkPacket{index: i, size: c.spec.size(uint64(c.spec.Header.Request), 0), addr: o.addr, bytes: o.bytes, since: t}, t)
		return
	}
	addr, left := o.addr, o.bytes
	for left > 0 {
		n := min(left, size)
		c.offer(away, linkPacket{index: i, size: c.spec.size(uint64(c.spec.Header.Request), n), addr: addr, bytes: n, since: t}, t)
		addr, left = addr+n, left-n
	}
}

// send puts a packet on the link.
func (c *Comp) send(way int, x linkPacket, t uint64) {
	c.count.packets++
	if way == home {
		c.events.Add(c.up.send(t, x.size)+c.delay.flight, event{x.index, evBack})
		return
	}
	// Over several links packets arrive in the order of sending, so that no read overtakes a
	// write of the same address.
	c.there = max(c.there, c.down.send(t, x.size)+c.delay.flight)
	for size, left := uint64(c.spec.Packet), x.bytes; left > 0; {
		n := min(left, size)
		p := take(&c.packets, packet{bytes: n, addr: x.addr, operation: x.index, frees: n == left})
		c.events.Add(c.there, event{p, evThere})
		x.addr, left = x.addr+n, left-n
	}
}

// served is an answer of the memory to a part of a packet.
func (c *Comp) served(i int32, t uint64) {
	p := c.packets.At(i)
	if p.pieces--; p.pieces > 0 {
		return
	}
	p.done = t
	o := c.operations.At(p.operation)
	header := uint64(c.spec.Header.Response)
	if !o.write {
		c.offer(home, linkPacket{index: i, size: c.spec.size(header, p.bytes), since: t}, t)
		return
	}
	if o.left > 1 { // the last one answers for all
		o.left--
		c.packets.Give(i)
		return
	}
	c.offer(home, linkPacket{index: i, size: c.spec.size(header, 0), since: t}, t)
}

// back is a packet that has returned.
func (c *Comp) back(i int32, t uint64) {
	p := c.packets.At(i)
	o := c.operations.At(p.operation)
	if o.left--; o.left > 0 {
		c.packets.Give(i)
		return
	}
	var parts [parts]uint64
	parts[partWait] = o.marks[partWait] - o.began
	parts[partSoftware] = o.marks[partSoftware] - o.marks[partWait]
	parts[partIssue] = o.marks[partIssue] - o.marks[partSoftware]
	parts[partRequest] = p.there - o.marks[partIssue]
	parts[partAccess] = p.asked - p.there
	parts[partMemory] = p.done - p.asked
	parts[partResponse] = t - p.done
	parts[partComplete] = c.delay.complete
	c.count.done(&parts, t+c.delay.complete-o.began)
	c.events.Add(t+c.delay.complete, event{p.operation, evThrough})
	c.packets.Give(i)
}

// through is the end of an operation.
func (c *Comp) through(i int32, _ uint64) {
	c.under--
	r := c.operations.At(i).request
	c.operations.Give(i)
	if c.requests.At(r).left--; c.requests.At(r).left == 0 {
		c.ready.Push(r)
	}
}

// respond sends the answers that are ready.
func (c *Comp) respond(now sim.VTimeInSec, t uint64) error {
	for c.ready.Len() > 0 && c.top.CanSend() {
		i := c.ready.Pop()
		r := c.requests.At(i)
		var rsp sim.Msg
		switch m := r.msg.(type) {
		case *mem.ReadReq:
			rsp = c.responses.Read(m, c.top, now)
			c.count.loads++
			c.count.loadTime += t - r.at
		case *mem.WriteReq:
			rsp = c.responses.Write(m, c.top, now)
			c.count.stores++
			c.count.storeTime += t - r.at
		}
		if c.top.Send(rsp) != nil {
			return fmt.Errorf("memlink: %s: the wire refused a message after it had room", c.Name())
		}
		c.count.last = t
		c.tasks.End(now, r.task)
		*r = request{} // the requester may reuse or drop the message
		c.requests.Give(i)
	}
	return nil
}
