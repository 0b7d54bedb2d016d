package cpu

import (
	"fmt"
	"io"
	"strings"

	"github.com/causeway-sim/causeway/memory"
)

// warmup counts the accesses that were carried out before the run.
type warmup struct {
	done    uint64         // accesses
	asked   [eighth]uint64 // accesses that asked memory, of the last pass by its parts
	parts   uint64         // done
	noted   bool           // the last part is one of asked
	settled bool
	hint    memory.Hint
}

// eighth is the number of parts of a pass.
const eighth = 8

// leastPass is the accesses of a pass at least: short ones are taken together.
const leastPass = 4096

// warm executes accesses without time until, after a whole pass, a part of a pass has no memory
// access, or as many as the same part of the pass before within 1% of its accesses, or until the
// limit of the Spec. Then the program continues, or if it does not repeat starts from its
// beginning.
func (c *Comp) warm() error {
	w := &c.warmup
	part := c.partOfPass()
	for n, asked := uint64(0), uint64(0); w.done < c.spec.Warm && !w.settled; {
		if !c.program.ok {
			if err := c.program.bad(); err != nil || w.done == 0 {
				return err
			}
			if part == 0 { // the program's length, which is known now
				part, n, asked = max(w.done, leastPass)/eighth, 0, 0
				w.parts = eighth // of a pass, of which nothing is known
				for i := range w.asked {
					w.asked[i] = never
				}
			}
			if err := c.program.open(); err != nil {
				return err
			}
			continue
		}
		if c.touch() {
			asked++
		}
		c.program.next()
		w.done++
		if n++; part > 0 && n >= part {
			w.note(asked, n)
			n, asked = 0, 0
		}
	}
	if c.spec.Warm > 0 && !c.program.endless() {
		return c.program.open()
	}
	return nil
}

// partOfPass is the number of accesses of a part of a pass; 0: the end of the program ends a pass.
func (c *Comp) partOfPass() uint64 {
	pass := c.program.pass()
	switch {
	case pass > 0:
		return (pass*((leastPass+pass-1)/pass) + eighth - 1) / eighth
	case c.program.endless(): // at random: two passes are all that there is
		return max(c.spec.Warm/2/eighth, 1)
	}
	return 0
}

// note records the memory accesses of a part of n accesses.
func (w *warmup) note(asked, n uint64) {
	last := &w.asked[w.parts%eighth]
	w.settled = w.parts >= eighth && (asked == 0 || *last != never && max(asked, *last)-min(asked, *last) <= n/100)
	*last, w.noted = asked, true
	w.parts++
}

// touch executes the next access without time, and reports whether it accessed memory.
func (c *Comp) touch() (asked bool) {
	r := &c.program.rec
	if c.paged {
		asked = c.warmTLB(c.pageOf(r.Addr))
	}
	for addr, left := r.Addr, uint64(r.Size); left > 0; {
		n := c.piece(addr, left, r.Write)
		c.warmup.hint = c.hintOf(r)
		asked = c.homes.Warm(memory.Request{Addr: c.physical(addr), Bytes: n, Write: r.Write, Hint: &c.warmup.hint}, c.port) || asked
		addr, left = addr+n, left-n
	}
	return asked
}

// warmTLB translates a page in no time.
func (c *Comp) warmTLB(page uint64) (asked bool) {
	if c.first.hit(page) {
		return false
	}
	if !c.second.hit(page) {
		from := c.table.first(page)
		for l := from; l >= 0; l-- {
			c.warmup.hint = memory.Hint{Core: uint16(c.core)}
			asked = c.homes.Warm(memory.Request{Addr: c.table.entry(page, l), Bytes: entryBytes, Hint: &c.warmup.hint}, c.port) || asked
		}
		c.table.learn(page, from)
		c.second.fill(page)
	}
	c.first.fill(page)
	return asked
}

// Warnings implements system.Warner: a warm state that was not reached, and fields of a trace that
// are ignored.
func (c *Comp) Warnings() (out []string) {
	w, p := &c.warmup, &c.program
	if w.done > 0 && !w.settled && w.done >= c.spec.Warm {
		why := "they end before the first part of a pass that could show one"
		if w.noted {
			why = fmt.Sprintf("of the last part of a pass %d asked memory", w.asked[(w.parts+eighth-1)%eighth])
		}
		out = append(out, fmt.Sprintf("%s: the %d accesses before the run (key warm) show no steady state: %s", c.Name(), w.done, why))
	}
	if p.timed && !p.counted {
		out = append(out, fmt.Sprintf("%s: times that are no instructions do not count here, accesses begin as the window lets them (a driver of mode timed plays them)", c.spec.Trace))
	}
	if c.spec.Trace != "" && p.cores {
		out = append(out, fmt.Sprintf("%s: accesses of several cores are played as those of one, in the order of the file (a node is one core)", c.spec.Trace))
	}
	if l := c.spec.Generate.Layer(); l != nil && l.On() > 1 && !strings.Contains(c.Name(), "[") {
		out = append(out, fmt.Sprintf("%s: generate %s is on %d cores, of which this node is core 0 alone (count: %d makes a node of each)", c.Name(), c.spec.Generate.Name, l.On(), l.On()))
	}
	out = append(out, c.idle()...)
	if c.spec.Trace != "" && p.fault == io.EOF && p.handed == 0 {
		out = append(out, fmt.Sprintf("%s: no accesses", c.spec.Trace))
	}
	return out
}
