package memory

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
)

// A Request is what a message asks of a memory.
type Request struct {
	Addr, Bytes uint64
	Write       bool
	Hint        *Hint // nil: there is none
}

// RequestOf reads a message; false: it is neither a read nor a write.
func RequestOf(m sim.Msg) (Request, bool) {
	switch m := m.(type) {
	case *mem.ReadReq:
		return Request{Addr: m.Address, Bytes: m.AccessByteSize, Hint: HintOf(m.Info)}, true
	case *mem.WriteReq:
		return Request{Addr: m.Address, Bytes: uint64(len(m.Data)), Write: true, Hint: HintOf(m.Info)}, true
	}
	return Request{}, false
}

// Traffic counts requests.
type Traffic struct{ Reads, Writes, ReadBytes, WriteBytes uint64 }

// Count takes in one request.
func (t *Traffic) Count(r Request) {
	if r.Write {
		t.Writes++
		t.WriteBytes += r.Bytes
		return
	}
	t.Reads++
	t.ReadBytes += r.Bytes
}

// Add takes in more.
func (t *Traffic) Add(n Traffic) {
	t.Reads += n.Reads
	t.Writes += n.Writes
	t.ReadBytes += n.ReadBytes
	t.WriteBytes += n.WriteBytes
}

// Since is what has come after an earlier count.
func (t Traffic) Since(before Traffic) Traffic {
	return Traffic{t.Reads - before.Reads, t.Writes - before.Writes, t.ReadBytes - before.ReadBytes, t.WriteBytes - before.WriteBytes}
}

// Times is n times as much.
func (t Traffic) Times(n uint64) Traffic {
	return Traffic{t.Reads * n, t.Writes * n, t.ReadBytes * n, t.WriteBytes * n}
}

// Requests is the number of all.
func (t *Traffic) Requests() uint64 { return t.Reads + t.Writes }

// Bytes is the bytes of all.
func (t *Traffic) Bytes() uint64 { return t.ReadBytes + t.WriteBytes }

// BadInputf is an error of what a run was given, which only the run finds: an address
// without a home, a trace that tells too little.
func BadInputf(format string, args ...any) error {
	return &badInput{fmt.Sprintf(format, args...)}
}

type badInput struct{ text string }

func (e *badInput) Error() string { return e.text }

// BadInput marks the error.
func (e *badInput) BadInput() {}
