package memory

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
)

// A Request is the content of a read or write message.
type Request struct {
	Addr, Bytes uint64
	Write       bool
	Hint        *Hint // nil: there is none
}

// RequestOf returns the request of a message; false if it is neither a read nor a write.
func RequestOf(m sim.Msg) (Request, bool) {
	switch m := m.(type) {
	case *mem.ReadReq:
		return Request{Addr: m.Address, Bytes: m.AccessByteSize, Hint: HintOf(m.Info)}, true
	case *mem.WriteReq:
		return Request{Addr: m.Address, Bytes: uint64(len(m.Data)), Write: true, Hint: HintOf(m.Info)}, true
	}
	return Request{}, false
}

// Traffic counts requests and bytes.
type Traffic struct{ Reads, Writes, ReadBytes, WriteBytes uint64 }

// Count adds one request.
func (t *Traffic) Count(r Request) {
	if r.Write {
		t.Writes++
		t.WriteBytes += r.Bytes
		return
	}
	t.Reads++
	t.ReadBytes += r.Bytes
}

// Add adds n.
func (t *Traffic) Add(n Traffic) {
	t.Reads += n.Reads
	t.Writes += n.Writes
	t.ReadBytes += n.ReadBytes
	t.WriteBytes += n.WriteBytes
}

// Since returns the traffic after an earlier count.
func (t Traffic) Since(before Traffic) Traffic {
	return Traffic{t.Reads - before.Reads, t.Writes - before.Writes, t.ReadBytes - before.ReadBytes, t.WriteBytes - before.WriteBytes}
}

// Times returns n times t.
func (t Traffic) Times(n uint64) Traffic {
	return Traffic{t.Reads * n, t.Writes * n, t.ReadBytes * n, t.WriteBytes * n}
}

// Requests returns reads and writes.
func (t *Traffic) Requests() uint64 { return t.Reads + t.Writes }

// Bytes returns read and written bytes.
func (t *Traffic) Bytes() uint64 { return t.ReadBytes + t.WriteBytes }

// BadInputf returns an error of the user's input that only a run can detect, such as an address
// without a home or a trace without a needed field.
func BadInputf(format string, args ...any) error {
	return &badInput{fmt.Sprintf(format, args...)}
}

type badInput struct{ text string }

func (e *badInput) Error() string { return e.text }

// BadInput marks the error.
func (e *badInput) BadInput() {}
