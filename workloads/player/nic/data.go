package nic

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// data is the interface's way to the chip's memory: pieces are cut into bursts, read,
// written, or read and then written, in the order in which they came; at most one burst
// goes out in a cycle.
type data struct {
	port    *engine.Port
	homes   *memory.Map // nil: not linked
	calls   memory.Calls[burst]
	pieces  pool.Of[piece, int32]
	reading ring.Of[int32] // pieces with bursts to be read, or to be written that need no read
	writing ring.Of[burst] // whose read was answered
	done    []int32        // tokens of pieces that are done
	count   struct{ read, written uint64 }
}

// A piece is a request of the player.
type piece struct {
	seat.Piece
	token    int32
	from, to *place // where its bytes are read and written
	next     uint64 // first byte that no burst has gone out for
	left     uint64 // bytes that are not done
}

// A burst is a request under way.
type burst struct {
	piece  int32
	at, n  uint64 // of the piece's bytes
	stored bool   // it is the write
}

// ask begins a piece.
func (d *data) ask(p piece) {
	p.left = p.Bytes
	if p.Bytes == 0 {
		d.done = append(d.done, p.token)
		return
	}
	i := d.pieces.Take()
	*d.pieces.At(i) = p
	d.reading.Push(i)
}

// next is the burst to go out, if there is one.
func (d *data) next() (b burst, ok bool) {
	if d.writing.Len() > 0 {
		return *d.writing.At(0), true
	}
	if d.reading.Len() == 0 {
		return b, false
	}
	i := *d.reading.At(0)
	p := d.pieces.At(i)
	return burst{piece: i, at: p.next, n: p.Bytes - p.next, stored: !p.Read}, true
}

// send sends one burst per cycle if there is room. again is true if there are more.
func (d *data) send(now sim.VTimeInSec, s *Spec) (again bool, err error) {
	b, ok := d.next()
	if !ok || d.calls.InFlight() >= s.Outstanding || !d.port.CanSend() {
		return false, nil // an answer, or the link, wakes the player
	}
	p := d.pieces.At(b.piece)
	a := p.from
	if b.stored {
		a = p.to
	}
	addr, run, hint := a.at(p.Off + b.at)
	edge := uint64(s.Burst) - addr%uint64(s.Burst)
	home, port, near, ok := d.homes.Find(addr)
	if !ok {
		return false, fmt.Errorf("%s: address %#x has no home", d.port.Name(), addr)
	}
	n := min(b.n, run, edge, near)
	call := d.calls.Take()
	call.Note, call.Hint = burst{b.piece, b.at, n, b.stored}, hint
	if d.port.Send(call.Message(b.stored, addr, n, home.Ports[port], now)) != nil {
		panic("nic: " + d.port.Name() + " refused a request")
	}
	if b.stored {
		d.count.written += n
	} else {
		d.count.read += n
	}
	switch {
	case d.writing.Len() > 0 && b.n == n:
		d.writing.Pop()
	case d.writing.Len() > 0:
		w := d.writing.At(0)
		w.at, w.n = w.at+n, w.n-n
	default:
		if p.next += n; p.next == p.Bytes {
			d.reading.Pop()
		}
	}
	_, again = d.next()
	return again && d.calls.InFlight() < s.Outstanding, nil
}

// receive receives the answers that have arrived.
func (d *data) receive(now sim.VTimeInSec) error {
	for m := d.port.Retrieve(now); m != nil; m = d.port.Retrieve(now) {
		call, err := d.calls.Answered(m)
		if err != nil {
			return err
		}
		b := call.Note
		p := d.pieces.At(b.piece)
		if !b.stored && p.Write {
			b.stored = true
			d.writing.Push(b)
			continue
		}
		if p.left -= b.n; p.left == 0 {
			d.done = append(d.done, p.token)
			d.pieces.Give(b.piece)
		}
	}
	return nil
}
