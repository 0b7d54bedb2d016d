package cxl

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/cxl/coherent"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A fabric is the one component that roots, switches and devices become whose links join
// them. Its time is in picoseconds. It knows them by what they do with ports only; what
// they share is here.
type fabric struct {
	ticker *engine.Ticker
	transit.Network
	nodes    []node      // as in Sinks
	received transit.Set // nodes with messages at their ports

	lds      []*logical   // of all devices
	pairs    []route.Pair // routes, by root and logical device
	bound    []bool       // there was one at first
	space    *hdm.Space
	requests requests
	coherent *coherent.System
	places   []string // where lines were lost
	carrier  *carrier // nil: memories inside devices get messages
	begun    bool
}

// A node has ports: a root or a device.
type node interface {
	transit.Sink
	// receive takes what is at the ports.
	receive(now sim.VTimeInSec, t int64) error
	// send sends the due messages at the ports, as far as these take them. more reports that it
	// must be called again, later the time of the next due message, if known.
	send(now sim.VTimeInSec, t int64) (more bool, later int64, err error)
}

// Handle implements sim.Handler.
func (f *fabric) Handle(e sim.Event) error {
	now := e.Time()
	t := int64(f.ticker.Cycle(now))
	f.begin()
	if f.carrier != nil {
		return f.carrier.handle(now, t)
	}
	next, err := f.act(now, t)
	if next != link.Never {
		f.ticker.WakeAt(uint64(max(next, t+1)))
	}
	return err
}

// begin decides which nodes get messages, before any is sent.
func (f *fabric) begin() {
	if !f.begun {
		f.begun, f.carrier = true, newCarrier(f)
	}
}

// wakeAfter has the fabric act at the first time after now.
func (f *fabric) wakeAfter(now sim.VTimeInSec) {
	f.ticker.WakeAfter(now)
	if f.carrier != nil {
		f.carrier.wakeAt(int64(instant.After(setting.Fine, now)))
	}
}

// act does what there is to do up to t, and returns when there is more.
func (f *fabric) act(now sim.VTimeInSec, t int64) (next int64, err error) {
	if err := f.take(now, t); err != nil {
		return link.Never, err
	}
	later := int64(link.Never)
	if k := f.Ready.Next(0); k >= 0 {
		later, err = f.send(now, t, k)
	}
	return min(f.Next(), later), err
}

// take does what there is to do up to t but for sending.
func (f *fabric) take(now sim.VTimeInSec, t int64) error {
	if err := f.Run(t); err != nil {
		return err
	}
	k := f.received.Next(0)
	if k < 0 {
		return nil
	}
	if err := f.receive(now, t, k); err != nil {
		return err
	}
	return f.Run(t)
}

// receive takes the messages at the ports, from node k on: devices first, then roots.
func (f *fabric) receive(now sim.VTimeInSec, t int64, k int) error {
	for ; k >= 0; k = f.received.Next(k + 1) {
		f.received.Remove(k)
		if err := f.nodes[k].receive(now, t); err != nil {
			return err
		}
		if err := f.Err(); err != nil {
			return err
		}
	}
	return nil
}

// send gives to the ports what is due there, of the nodes that have anything, from node k on.
func (f *fabric) send(now sim.VTimeInSec, t int64, k int) (later int64, err error) {
	later = link.Never
	for ; k >= 0; k = f.Ready.Next(k + 1) {
		more, at, err := f.nodes[k].send(now, t)
		if err != nil {
			return 0, err
		}
		later = min(later, at)
		if !more {
			f.Ready.Remove(k)
		}
	}
	return later, nil
}

// pair is the routes between the root and the logical device of a line.
func (f *fabric) pair(l *transit.Line) route.Pair { return f.pairs[int(l.Root)*len(f.lds)+int(l.LD)] }
