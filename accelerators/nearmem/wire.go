package nearmem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// flitNames are the modes as configurations name them; pbr needs switches.
var flitNames = []string{"68B", "256B", "latency"}

// config makes the link between host and device.
func (l *Link) config(seed uint64) (link.Config, error) {
	c := link.DefaultConfig()
	i := slices.Index(flitNames, l.Flit)
	if i < 0 {
		return c, fmt.Errorf("unknown flit %q (want one of: %s)", l.Flit, strings.Join(flitNames, ", "))
	}
	c.Mode, c.Rate, c.Lanes, c.BER, c.Seed = flit.Mode(i), l.Rate, l.Lanes, l.BER, seed
	c.Latency = int64(ps(l.Wire))
	c.Limits = flit.DefaultLimits(c.Mode)
	c.Credits = [flit.Classes]int{}
	for _, x := range []flit.Class{flit.M2SReq, flit.M2SRwD, flit.S2MNDR, flit.S2MDRS} {
		c.Credits[x] = l.Credits
	}
	return c, c.Check()
}

// tlp is the payload of a posted write of CXL.io.
//
// assumption: 256 B, the usual limit of root ports, and 64-bit addresses.
const tlp = 256

// wire is a link of flits between host and device, in place of fixed times: stores and loads of
// CXL.mem line by line, packets of CXL.io. A message takes the protocol layers, half of a round
// trip, after its last flit.
type wire struct {
	m    *machine
	link *link.Link
	mode flit.Mode
	jobs []job
	idle []int32
}

// A job is a number of lines or packets whose last one makes an event.
type job struct {
	left int
	back int // loads: answers that have not come; stores: completions
	then event
	// acked: the event follows the last completion, not the last line.
	acked bool
}

func newWire(m *machine, c link.Config) (*wire, error) {
	w := &wire{m: m, mode: c.Mode}
	var err error
	w.link, err = link.New(c, w)
	return w, err
}

func (w *wire) job(j job) uint32 {
	if n := len(w.idle); n > 0 {
		i := w.idle[n-1]
		w.idle = w.idle[:n-1]
		w.jobs[i] = j
		return uint32(i)
	}
	w.jobs = append(w.jobs, j)
	return uint32(len(w.jobs) - 1)
}

func (w *wire) end(i uint32) {
	w.idle = append(w.idle, int32(i))
}

// lines is how many a number of bytes takes.
func lines(bytes uint64) int { return int((bytes + 63) / 64) }

// store sends lines of CXL.mem to the device, and schedules the event then for the last line, or
// with acked for the last completion.
func (w *wire) store(n int, acked bool, then event) {
	ref := w.job(job{left: n, back: n, then: then, acked: acked})
	for range n {
		w.link.Push(int64(w.m.now), flit.Message{Class: flit.M2SRwD, Ref: ref})
	}
}

// load loads lines by CXL.mem, and schedules the event then for the last line.
func (w *wire) load(n int, then event) (ref uint32) {
	ref = w.job(job{back: n, then: then})
	for range n {
		w.link.Push(int64(w.m.now), flit.Message{Class: flit.M2SReq, Ref: ref})
	}
	return ref
}

// answer sends a line of a load from the device, which has room for another request
// then.
func (w *wire) answer(ref uint32) {
	w.link.Release(int64(w.m.now), flit.M2SReq)
	w.link.Push(int64(w.m.now), flit.Message{Class: flit.S2MDRS, Ref: ref})
}

// write sends posted writes of CXL.io, and schedules the event then for the arrival of the last
// one.
func (w *wire) write(d flit.Direction, bytes uint64, then event) {
	n := int((bytes + tlp - 1) / tlp)
	ref := w.job(job{left: n, then: then})
	for ; bytes > 0; bytes -= min(bytes, tlp) {
		b := min(bytes, tlp)
		w.link.PushIO(int64(w.m.now), d, w.mode.IOSize(flit.TLP{Wide: true, HasData: true, Data: uint16((b + 3) / 4)}), ref)
	}
}

// Departed implements link.Sink.
func (w *wire) Departed(*flit.Message, int64) {}

// Arrived implements link.Sink.
func (w *wire) Arrived(x *flit.Message, at link.Times) {
	m, j := w.m, &w.jobs[x.Ref]
	if x.Class != flit.M2SReq {
		w.link.Release(at.At, x.Class)
	}
	behind := uint64(at.At) + m.mem
	switch x.Class {
	case flit.M2SRwD:
		w.link.Push(at.At, flit.Message{Class: flit.S2MNDR, Ref: x.Ref})
		if j.left--; j.left == 0 && !j.acked {
			m.plan(behind, j.then)
		}
	case flit.S2MNDR:
		if j.back--; j.back == 0 {
			if j.acked { // both ends' layers
				m.plan(behind+m.mem, j.then)
			}
			w.end(x.Ref)
		}
	case flit.M2SReq:
		if x.Ref == m.hst.blocked-1 && !m.dev.over { // the load that waits for the kernel
			m.hst.asked = true
			return
		}
		m.plan(behind, event{kind: evLine, value: int64(x.Ref)})
	case flit.S2MDRS:
		if j.back--; j.back == 0 {
			m.plan(behind, j.then)
			w.end(x.Ref)
		}
	}
}

// ArrivedIO implements link.Sink.
func (w *wire) ArrivedIO(_ flit.Direction, ref uint32, at link.Times) {
	j := &w.jobs[ref]
	if j.left--; j.left == 0 {
		w.m.plan(uint64(at.At)+w.m.io, j.then)
		w.end(ref)
	}
}
