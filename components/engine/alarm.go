package engine

import "github.com/sarchlab/akita/v3/sim"

// A tick is an event that is used again once its time is past.
type tick struct {
	t         sim.VTimeInSec
	cycle     uint64 // at t, of a Ticker's clock
	handler   sim.Handler
	secondary bool
}

func (k *tick) Time() sim.VTimeInSec { return k.t }
func (k *tick) Handler() sim.Handler { return k.handler }
func (k *tick) IsSecondary() bool    { return k.secondary }

// alarms keeps the events of one handler, at most one per instant, in order of
// time. It cannot see an event being handled, so it forgets one when the time
// has moved past it: until then another call for the same instant finds it.
type alarms struct {
	handler   sim.Handler
	secondary bool
	engine    sim.Engine
	own       *Engine // engine, if it is ours: saves two calls per event
	pending   []*tick // from head on: in order of time
	head      int
	free      []*tick
}

func newAlarms(e sim.Engine, h sim.Handler, secondary bool) alarms {
	own, _ := e.(*Engine)
	return alarms{handler: h, secondary: secondary, engine: e, own: own}
}

// expire forgets the events before now.
func (a *alarms) expire(now sim.VTimeInSec) {
	for a.head < len(a.pending) && a.pending[a.head].t < now {
		a.free = append(a.free, a.pending[a.head])
		a.head++
	}
	switch n := len(a.pending); {
	case a.head == n:
		a.pending, a.head = a.pending[:0], 0
	case a.head >= 32 && 2*a.head >= n:
		a.pending, a.head = a.pending[:copy(a.pending, a.pending[a.head:])], 0
	}
}

// at makes sure that there is an event at t, and returns it if it is new. The
// caller has called expire.
func (a *alarms) at(t sim.VTimeInSec) *tick {
	i := len(a.pending)
	for i > a.head && a.pending[i-1].t >= t {
		if a.pending[i-1].t == t {
			return nil
		}
		i--
	}
	var k *tick
	if f := len(a.free); f > 0 {
		k = a.free[f-1]
		a.free = a.free[:f-1]
	} else {
		k = &tick{handler: a.handler, secondary: a.secondary}
	}
	k.t = t
	a.pending = append(a.pending, k)
	if last := len(a.pending) - 1; i < last {
		copy(a.pending[i+1:], a.pending[i:last])
		a.pending[i] = k
	}
	if a.own != nil {
		a.own.push(t, a.secondary, k)
	} else {
		a.engine.Schedule(k)
	}
	return k
}
