package trace

import "encoding/binary"

// A Tape holds records in memory, about ten bytes each, in the order of Append. It does not keep
// Next.
type Tape struct {
	buf  []byte
	last Record
	n    uint64
	seen Fields
}

// What a record has in common with the one before it.
const (
	isWrite = 1 << iota
	newSize
	newCore
	newTensor
	newReuse
	newPC
)

// Append adds a record. Times must not decrease.
func (t *Tape) Append(r *Record) {
	flags := byte(0)
	if r.Write {
		flags |= isWrite
	}
	fields := [...]struct {
		bit      byte
		field    Fields
		old, new uint64
	}{
		{newSize, Sizes, uint64(t.last.Size), uint64(r.Size)},
		{newCore, Cores, uint64(t.last.Core), uint64(r.Core)},
		{newTensor, Tensors, uint64(t.last.Tensor), uint64(r.Tensor)},
		{newReuse, Reuses, uint64(t.last.Reuse), uint64(r.Reuse)},
		{newPC, PCs, t.last.PC, r.PC},
	}
	for _, f := range fields {
		if f.old != f.new {
			flags |= f.bit
			t.seen |= f.field
		}
	}
	t.buf = append(t.buf, flags)
	t.buf = binary.AppendUvarint(t.buf, r.Time-t.last.Time)
	t.buf = binary.AppendVarint(t.buf, int64(r.Addr-t.last.Addr))
	for _, f := range fields {
		if f.old != f.new {
			t.buf = binary.AppendUvarint(t.buf, f.new)
		}
	}
	t.last = *r
	t.n++
}

// Len is the number of records.
func (t *Tape) Len() uint64 { return t.n }

// Seen returns the fields among size, core, tensor, reuse and pc that are not 0 in all records.
func (t *Tape) Seen() Fields { return t.seen }

// Each calls f with every record, until f returns an error.
func (t *Tape) Each(f func(r *Record) error) error {
	var r Record
	b := t.buf
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	for len(b) > 0 {
		flags := b[0]
		b = b[1:]
		r.Write = flags&isWrite != 0
		r.Time += number()
		d, n := binary.Varint(b)
		b = b[n:]
		r.Addr += uint64(d)
		if flags&newSize != 0 {
			r.Size = uint32(number())
		}
		if flags&newCore != 0 {
			r.Core = uint32(number())
		}
		if flags&newTensor != 0 {
			r.Tensor = uint32(number())
		}
		if flags&newReuse != 0 {
			r.Reuse = uint32(number())
		}
		if flags&newPC != 0 {
			r.PC = number()
		}
		if err := f(&r); err != nil {
			return err
		}
	}
	return nil
}
