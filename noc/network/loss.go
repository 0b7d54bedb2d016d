package network

import (
	"fmt"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
)

// Losses counts the losses by failed channels.
type Losses struct {
	Packets uint64 // losses of packets
	Flits   uint64 // flits of these packets
	Resent  uint64 // packets sent again
}

// A LossReporter is a core that may lose packets.
type LossReporter interface{ Losses() Losses }

// An UndeliveredReporter is a core that may hold messages without a route to their terminal. Stranded is safe
// for concurrent use.
type UndeliveredReporter interface{ Stranded() bool }

// Stranded reports whether messages wait that will never arrive, and are not lost.
func (c *Comp) Stranded() bool {
	x, ok := c.core.(UndeliveredReporter)
	return ok && x.Stranded()
}

// losses are the messages that will never arrive.
type losses struct {
	count, flits, bytes uint64
	first, to           string // which message, and when
	told                func(sim.VTimeInSec, sim.Msg)
}

// OnLoss sets f, which is called for each lost message. A player that waits for its messages
// needs it.
func (c *Comp) OnLoss(f func(now sim.VTimeInSec, m sim.Msg)) { c.lost.told = f }

// Lose reports a message that will never arrive. The core calls it. Later requests no longer wait
// for it.
func (c *Comp) Lose(id int32) {
	s := &c.slots[id]
	l := &c.lost
	if l.count == 0 {
		l.to = fmt.Sprintf("%s.terminal[%d]", c.Name(), s.dst)
		l.first = fmt.Sprintf("a message of %d B from terminal %d to %d, at %g ns", s.bytes, s.src, s.dst, c.Clock().Nanoseconds(c.now))
	}
	l.count++
	l.flits += uint64(s.flits)
	l.bytes += uint64(s.bytes)
	c.tasks.End(c.time, s.task)
	if l.told != nil {
		l.told(c.time, s.msg)
	}
	s.msg = nil
	if s.flow == none {
		c.release(id)
		return
	}
	if c.order.leave(s.flow, s.seq, id) {
		flow := s.flow
		c.release(id)
		c.follow(flow)
	}
}

// follow delivers the requests of a flow that are next in order; it skips lost ones.
func (c *Comp) follow(flow int32) {
	for id := c.order.next(flow); id != 0; id = c.order.next(flow) {
		if c.slots[id].msg == nil {
			c.release(id)
		} else {
			c.post(id)
		}
	}
}

// release frees a slot.
func (c *Comp) release(id int32) {
	s := &c.slots[id]
	s.msg = nil
	s.next, c.free = c.free, id
}

// Reasons implements engine.Reasoner.
func (c *Comp) Reasons() []engine.Wait {
	if c.lost.count == 0 {
		return nil
	}
	return []engine.Wait{{Who: c.Name(), For: c.lost.to, Why: c.lost.String() + " with channels that failed, and is not sent again"}}
}

func (l *losses) String() string {
	if l.count == 1 {
		return "a message was lost: " + l.first
	}
	return fmt.Sprintf("%d messages were lost, the first %s", l.count, l.first)
}

// Warnings implements system.Warner: losses by failed channels, failures after the last message had
// arrived or the run had ended, and a key skip without effect.
func (c *Comp) Warnings() (out []string) {
	if x, ok := c.core.(LossReporter); ok {
		if n := x.Losses(); n.Packets > 0 {
			out = append(out, c.lossWarning(n))
		}
	}
	if text := c.tooLate(); text != "" {
		out = append(out, text)
	}
	if c.skipped != "" && c.fold == nil {
		out = append(out, c.skipped)
	}
	return out
}

func (c *Comp) lossWarning(n Losses) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Channels of %s that failed during the run (failed) lost packets %d times, of %d flits; ", c.Name(), n.Packets, n.Flits)
	switch {
	case n.Resent == 0:
		b.WriteString("none was sent again (timeout).")
	case c.lost.count == 0:
		b.WriteString("all were sent again, and no message was lost.")
		return b.String()
	default:
		fmt.Fprintf(&b, "%d times they were sent again.", n.Resent)
	}
	if c.lost.count > 0 {
		text := c.lost.String()
		b.WriteString(" " + strings.ToUpper(text[:1]) + text[1:] + ".")
	}
	return b.String()
}

// tooLate returns a warning about channels that fail only after the last message has
// arrived, or, if some messages have not arrived, after the network last did something.
func (c *Comp) tooLate() string {
	late, of, next := 0, 0, units.Latency{}
	clock, end, what := c.Clock(), c.count.last, "the last message arrived"
	told := end
	if c.count.taken > c.count.arrived+c.lost.count {
		told, end, what = c.now, c.now+1, "the network last did something"
	}
	for _, f := range c.spec.Failed {
		if f.At == nil {
			continue // before the run
		}
		of++
		if at := f.At.In(clock); at < end {
			continue
		}
		if late++; late == 1 || f.At.In(clock) < next.In(clock) {
			next = *f.At
		}
	}
	if late == 0 || end == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d failures of %s during the run (failed) have no effect: the next is at %s, and %s at %g ns.", late, of, c.Name(), next, what, clock.Nanoseconds(told))
}

// Fails reports whether channels fail during the run.
func (c *Comp) Fails() bool { return c.spec.Fails() }

// Fails reports whether channels fail during the run.
func (s *Spec) Fails() bool {
	for _, f := range s.Failed {
		if f.At != nil {
			return true
		}
	}
	return false
}
