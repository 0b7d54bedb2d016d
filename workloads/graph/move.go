package graph

// A Move rearranges data without arithmetic: concat, transpose, slice, pad, resize, append (to a
// cache), reshape (which moves nothing: Elements 0). A slice that moves nothing begins at element
// From of its operand; the operands of a concat that moves nothing are written directly to
// consecutive places in the result.
type Move struct {
	Func     string
	Elements int64 // elements written
	From     int64
	// Inside is set if it runs in the kernel of the attention that reads the result
	// (fuse.Prologues).
	Inside bool
}

// HostCalls is the Func of so many calls (Elements) of a framework on the host since the last operator
// HostReads, in which the host has read what the chip had made. A chip waits for them.
const (
	HostReads = "host_reads"
	HostCalls = "host_calls"
)

// Type implements Kind.
func (Move) Type() string { return "move" }

// MACs implements Kind.
func (Move) MACs() int64 { return 0 }

// VectorOps implements Kind: a move costs bytes, not operations.
func (Move) VectorOps() int64 { return 0 }

// reads implements partReader: a move reads as much as it writes, from its first operands.
func (m Move) reads(_ int, elements, before int64) int64 { return min(elements, m.Elements-before) }

func (m Move) check(v *validator) {
	var out int64
	for _, id := range v.op.Out {
		out += v.elements[id]
	}
	if m.Elements < 0 || m.Elements > out {
		v.errorf("moves %d elements into %d", m.Elements, out)
	}
	if m.Func == "reshape" {
		v.count("input", v.in(0), out)
	}
}
