package tracetest

import (
	"bufio"
	"encoding/binary"
	"io"
	"iter"

	"github.com/causeway-sim/causeway/memory/policy"
)

// A Trace is a sequence of accesses.
type Trace struct {
	Name    string
	Cores   int
	Tensors []policy.Tensor // described by Access.Tensor, which is 0 without a tensor
	each    func(yield func(policy.Access) bool) bool
}

// All iterates over the accesses, any number of times.
func (t Trace) All() iter.Seq[policy.Access] {
	return func(yield func(policy.Access) bool) { t.each(yield) }
}

// Plain returns the trace without tensors and reuse, for a cache without hints.
func (t Trace) Plain() Trace {
	each := t.each
	t.Tensors = nil
	t.each = func(yield func(policy.Access) bool) bool {
		return each(func(a policy.Access) bool {
			a.Tensor, a.Reuse = 0, 0
			return yield(a)
		})
	}
	return t
}

// WriteRecords writes the trace as records of 16 bytes, little endian: line (8),
// pc (4), core (4).
func (t Trace) WriteRecords(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	var rec [16]byte
	var err error
	for a := range t.All() {
		binary.LittleEndian.PutUint64(rec[:], a.Line)
		binary.LittleEndian.PutUint32(rec[8:], uint32(a.PC))
		binary.LittleEndian.PutUint32(rec[12:], uint32(a.Core))
		if _, err = b.Write(rec[:]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// Streams of one program have these PCs.
const (
	pcMain   = 0x400000
	pcSecond = 0x400100
	pcThird  = 0x400200
)
