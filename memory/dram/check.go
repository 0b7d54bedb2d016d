package dram

import (
	"github.com/causeway-sim/causeway/memory/dram/ecc"
)

// newChecks makes the error correction of a channel; nil without the key ecc.
func newChecks(cfg *Config) (*ecc.Unit, error) {
	return ecc.New(cfg.ECC, cfg.Scrub, cfg.Grade, max(cfg.Rows, cfg.Grade.Organisation.Rows))
}

// protect brings the check bits of a burst, if they lie in memory. A read waits for them.
func (c *Controller) protect(e *entry, now int64) {
	e.check = none
	if c.checks.Lines == nil {
		return
	}
	read := c.fetch(int(e.bank), e.row, e.col, e.kind == write, now)
	if e.kind == write || read == ecc.None {
		return
	}
	e.check = int32(read)
	c.checks.Pending.Join(read)
}

// fetch looks check bits up, and brings them on a miss. It returns the read that brings them.
func (c *Controller) fetch(bank int, row, col uint32, isWrite bool, now int64) (brings int) {
	k := c.checks
	of := k.Lines.Of(bank, row, col)
	i, hit, out := k.Lines.Use(of, isWrite)
	if hit {
		return k.Lines.Pending(i)
	}
	brings = k.Pending.Begin()
	k.Lines.Pend(i, brings)
	p := k.Lines.Place(of)
	c.ask(now, ownCheckRead, p.Bank, p.Row, p.Col, ownTag-1-uint32(brings))
	if out != ecc.None {
		p = k.Lines.Place(out)
		c.ask(now, ownCheckWrite, p.Bank, p.Row, p.Col, ownTag)
	}
	return brings
}

// checked reports whether a read whose last beat passes at a clock was answered, or will be, with its check bits.
func (c *Controller) checked(e *entry, done int64) bool {
	if isOwn(e.tag) || e.check == none {
		return false
	}
	came, ok := c.checks.Pending.Ask(int(e.check), ecc.Wait{Tag: e.tag, Arrived: e.arrived, Accepted: e.accepted, At: done})
	if ok {
		c.served(e.tag, e.arrived, e.accepted, max(done, came))
	}
	return true
}

// cameFor notes that a burst of the controller itself has come; of check bits, reads that waited for them are answered.
func (c *Controller) cameFor(tag uint32, done int64) {
	if tag == ownTag || c.checks == nil {
		return
	}
	read := int(ownTag - 1 - tag)
	c.checks.Lines.Came(read)
	c.checks.Pending.Come(read, done, func(w ecc.Wait) { c.served(w.Tag, w.Arrived, w.Accepted, max(w.At, done)) })
}

// scrub reads the next burst of the scrubber, and its check bits.
func (c *Controller) scrub(now int64) {
	k := c.checks
	k.Due += k.Every
	p := k.Walker.Next()
	c.ask(now, ownScrub, p.Bank, p.Row, p.Col, ownTag)
	if k.Lines != nil {
		c.fetch(p.Bank, p.Row, p.Col, false, now)
	}
}

// modify reads a burst of which a write brings a part, before the write is accepted: check bits are those of the whole.
func (c *Controller) modify(d *frontQueue, now int64) {
	v := d.head()
	v.covered = false
	d.covered--
	d.try = now + 1
	c.ask(now, ownModify, int(v.bank), v.row, v.col, ownTag)
}
