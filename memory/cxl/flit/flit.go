package flit

import "math/bits"

// A Kind is the content of a slot.
type Kind uint8

// The kinds of slots.
const (
	Empty   Kind = iota
	Header       // messages
	Data         // 16 bytes of a line
	Enables      // the byte enables of a line
)

// A Slot is one slot of a flit.
type Slot struct {
	Line  *Line // of Data and Enables; nil is zeros
	Kind  Kind
	Code  uint8 // format of a Header
	First uint8 // of a Header: index of its first message in Flit.Messages
	Count uint8 // of a Header: number of its messages
	Chunk uint8 // of Data: which 16 bytes of the line
}

// A Content is the messages of a flit, without their slots.
type Content struct {
	Messages []Message // of all header slots, in order
	// Finished is the messages whose last data slot is in this flit, in the order of headers.
	Finished uint8
	// AllData: four slots of data without a header (68 B flits).
	AllData bool
	// BE: the messages with data whose headers are here have byte enables (68 B flits).
	BE bool
}

// A Flit is the decoded content of a flit. Reusing one allocates nothing.
type Flit struct {
	Content
	Slots [maxSlots]Slot
	// Ack acknowledges eight flits of the other direction (68 B flits).
	Ack     bool
	Credits Credits
	// Head is the 2 B header of larger flits: flit type and sequence number of the physical
	// layer.
	Head uint16
}

// Reset empties a content.
func (c *Content) Reset() { *c = Content{Messages: c.Messages[:0]} }

func (f *Flit) reset() {
	*f = Flit{Content: Content{Messages: f.Messages[:0]}}
}

// Credits are the codes of credits returned in a flit.
type Credits struct{ Req, Data, Rsp, BI uint8 }

// Credit returns the code of the most credits up to n, and their number. CXL 2.0, section 4.2.3:
// 1 to 64 in powers of two; the highest bit is set for channels of CXL.mem.
func Credit(n int, mem bool) (code uint8, returned int) {
	code = uint8(min(7, bits.Len(uint(n))))
	if code > 0 {
		returned = 1 << (code - 1)
	}
	if mem && code > 0 {
		code |= 8
	}
	return code, returned
}

// Returned is the inverse of Credit.
func Returned(code uint8) (n int, mem bool) {
	if code&7 > 0 {
		n = 1 << (code&7 - 1)
	}
	return n, code&8 != 0
}
