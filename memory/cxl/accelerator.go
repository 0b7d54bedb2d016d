package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/coherent"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// An accelerator is the side of a Type 2 device that computes: its port dev.
type accelerator struct {
	fabric    *fabric
	number    uint16 // of the device among the fabric's nodes
	device    int32
	host      bool // it reaches the host's memory
	latency   int64
	port      *engine.Port
	dcoh      *coherent.Device
	agent     *coherent.Agent   // its cache of the host's memory; nil: there is none
	reaches   func(uint64) bool // the addresses of that memory
	requests  []devRequest
	idle      []int32
	accesses  []devAccess
	free      []int32
	responses memory.Responses
	answers   []int32
	count     struct {
		memory.Traffic
		answered    uint64
		latency     uint64
		first, last int64
		busy        cause.Busy
		waited      [waits]uint64 // ps by wait
	}
}

type devRequest struct {
	msg  sim.Msg
	left int
	at   int64
	on   wait // the longest kind of wait of its lines
}

// A wait is what a line of the accelerator waits for once it has reached the cache, shortest first.
type wait uint8

const (
	inCache wait = iota
	forMemory
	inOrder
	forHost
	waits
)

// devAccess is one line of a request.
type devAccess struct {
	request int32
	kind    coherence.Access
	addr    uint64 // in the device, or of the host
	host    bool   // in the host's memory
}

// receive takes what is at port dev.
func (a *accelerator) receive(now sim.VTimeInSec, t int64) error {
	for m := a.port.Retrieve(now); m != nil; m = a.port.Retrieve(now) {
		if err := a.accept(m, t); err != nil {
			return err
		}
	}
	return nil
}

// accept cuts a request into lines.
func (a *accelerator) accept(msg sim.Msg, t int64) error {
	name := a.port.Component().Name()
	m, ok := memory.RequestOf(msg)
	if !ok {
		return fmt.Errorf("cxl: %s: %T is no memory request", name, msg)
	}
	a.count.Count(m)
	addr, bytes, write := m.Addr, m.Bytes, m.Write
	if a.count.Requests() == 1 {
		a.count.first = t
	}
	a.count.busy.Begin(uint64(t))
	end := addr + max(bytes, 1)
	q := devRequest{msg: msg, at: t, left: int((end-1)/64 - addr/64 + 1)}
	var k int32
	if n := len(a.idle); n > 0 {
		k = a.idle[n-1]
		a.idle = a.idle[:n-1]
		a.requests[k] = q
	} else {
		k = int32(len(a.requests))
		a.requests = append(a.requests, q)
	}
	f := a.fabric
	for at := addr / 64 * 64; at < end; at += 64 {
		ld, here, _, ok := f.space.Find(at)
		x := devAccess{request: k, addr: here}
		switch {
		case ok && f.lds[ld].device == a.device:
		case a.agent != nil && a.reaches(at):
			x.addr, x.host = at, true
		default:
			return fmt.Errorf("cxl: %s: address %#x at port dev is in no memory that it reaches", name, at)
		}
		if write {
			if x.kind = coherence.Store; at < addr || at+64 > end {
				x.kind = coherence.Update
			}
		}
		f.Add(t+a.latency, a.newAccess(x), a.number, transit.Access)
	}
	return nil
}

func (a *accelerator) newAccess(x devAccess) int32 {
	if n := len(a.free); n > 0 {
		i := a.free[n-1]
		a.free = a.free[:n-1]
		a.accesses[i] = x
		return i
	}
	a.accesses = append(a.accesses, x)
	return int32(len(a.accesses) - 1)
}

// begin is called when an access has reached its cache.
func (a *accelerator) begin(i int32, t int64) {
	x := a.accesses[i]
	over, on := false, forMemory
	switch {
	case x.host:
		over, on = a.agent.Begin(i, x.addr, x.kind, t), forHost
	case !a.dcoh.Coherent:
		over = a.dcoh.Begin(i, x.addr, x.kind, t)
	default:
		n := &a.dcoh.Count
		misses, blocked := n.Misses, n.Blocked
		over = a.dcoh.Begin(i, x.addr, x.kind, t)
		switch {
		case n.Misses > misses:
			on = forHost
		case n.Blocked > blocked:
			on = inOrder
		}
	}
	if over {
		a.done(i)
		return
	}
	q := &a.requests[x.request]
	q.on = max(q.on, on)
}

// done ends an access.
func (a *accelerator) done(i int32) {
	k := a.accesses[i].request
	a.free = append(a.free, i)
	if a.requests[k].left--; a.requests[k].left == 0 {
		a.answers = append(a.answers, k)
		a.fabric.Ready.Add(a.number)
	}
}

// respond sends the answers to requests that are done, as far as the wire takes them.
func (a *accelerator) respond(now sim.VTimeInSec, t int64) error {
	n := 0
	for _, k := range a.answers {
		if !a.port.CanSend() {
			break
		}
		q := &a.requests[k]
		if a.port.Send(a.responses.Respond(q.msg, a.port, now)) != nil {
			return fmt.Errorf("cxl: %s: the wire refused a message after it had room", a.port.Component().Name())
		}
		a.count.answered++
		a.count.latency += uint64(t - q.at)
		way := min(a.latency, t-q.at)
		a.count.waited[inCache] += uint64(way)
		a.count.waited[q.on] += uint64(t - q.at - way)
		a.count.busy.End(uint64(t))
		a.count.last = t
		*q = devRequest{}
		a.idle = append(a.idle, k)
		n++
	}
	a.answers = a.answers[:copy(a.answers, a.answers[n:])]
	return nil
}

// NewType2 makes a device with memory and a port for an accelerator. Errors are at their places
// in v.
func NewType2(name string, env *system.Env, s setting.Type2Spec, v configs.Value) (*Type3, error) {
	if err := setting.InTime(s.Latency, s.HostCache.Snoop, s.HostCache.Pull); err != nil {
		return nil, err
	}
	if s.HDM == "h" && v.Get("cache").Exists() && s.Cache.Size > 0 {
		return nil, v.Get("cache").Errorf(nil, "cache has no effect with hdm: h: nothing would keep it coherent")
	}
	if s.Reach != "host" && v.Get("host_cache").Exists() {
		return nil, v.Get("host_cache").Errorf(nil, "host_cache has no effect with reach: %s", s.Reach)
	}
	d, err := NewType3(name, env, s.Type3(), v)
	if err != nil {
		return nil, err
	}
	d.accelerate(s)
	return d, nil
}

// accelerate gives a device its port dev.
func (d *Type3) accelerate(s setting.Type2Spec) {
	d.dev = &accelerator{host: s.Reach == "host", latency: setting.Ps(s.Latency)}
	d.dev.port = engine.NewPort(d, d.Name()+".Dev", portBuffer)
	d.AddPort("Dev", d.dev.port)
	d.dev.newStats(d.stats)
	d.type2 = &s
}
