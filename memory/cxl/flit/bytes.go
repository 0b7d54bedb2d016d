package flit

import "encoding/binary"

// Where the parts of a flit are, in bytes.

// slotAt is where slot i begins; slot 7 of FlitLatency is broken by a CRC after
// its first split bytes.
func (m Mode) slotAt(i int) int {
	switch {
	case m == Flit68 && i == 0:
		return 2 + 4 // after the flit header
	case m == Flit68:
		return 2 + 16*i
	case i == 0:
		return 2
	case m == FlitLatency && i == 8:
		return 134
	case m == FlitLatency && i > 8:
		return 146 + 16*(i-9)
	}
	return 16 * i
}

const (
	brokenSlot = 7   // of FlitLatency
	split      = 10  // bytes of it in the first half
	secondHalf = 128 // where the rest of it is
)

func (m Mode) creditAt() int {
	if m == FlitLatency {
		return 242
	}
	return 240
}

// readSlot copies a slot out of a flit.
func (m Mode) readSlot(b []byte, i int, to *[16]byte) []byte {
	n, at := m.SlotBytes(i), m.slotAt(i)
	if m == FlitLatency && i == brokenSlot {
		copy(to[:split], b[at:])
		copy(to[split:], b[secondHalf:secondHalf+16-split])
		return to[:16]
	}
	return to[:copy(to[:n], b[at:at+n])]
}

// writeSlot copies a slot into a flit.
func (m Mode) writeSlot(b []byte, i int, from []byte) {
	at := m.slotAt(i)
	if m == FlitLatency && i == brokenSlot {
		copy(b[at:at+split], from)
		copy(b[secondHalf:], from[split:])
		return
	}
	copy(b[at:], from[:m.SlotBytes(i)])
}

// protocolMem is the identifier of flits of CXL.cache and CXL.mem, protocolIO that
// of CXL.io; CXL 2.0, section 6.2.2.
const (
	protocolIO  = 0xFFFF
	protocolMem = 0x5555
)

// Encode writes the bytes of a flit and returns their number.
func (f *Flit) Encode(m Mode, d Direction, b *[MaxBytes]byte) int {
	*b = [MaxBytes]byte{}
	n := m.Bytes()
	if m == Flit68 {
		binary.LittleEndian.PutUint16(b[:], protocolMem)
		if !f.AllData {
			binary.LittleEndian.PutUint32(b[2:], f.header())
		}
	} else {
		binary.LittleEndian.PutUint16(b[:], f.Head)
		c := f.Credits
		at := m.creditAt()
		b[at], b[at+1] = c.Rsp<<4|c.Req, c.BI<<4|c.Data
	}
	var slot [16]byte
	for i := range m.Slots() {
		s := &f.Slots[i]
		if m == Flit68 && f.AllData && i == 0 {
			copy(b[2:18], s.dataBytes(&slot))
			continue
		}
		switch s.Kind {
		case Empty:
			continue
		case Header:
			slot = [16]byte{}
			f.headerBytes(m, d, i, &slot)
			m.writeSlot(b[:], i, slot[:])
		default:
			m.writeSlot(b[:], i, s.dataBytes(&slot))
		}
	}
	protect(m, b)
	return n
}

// header is the flit header of 68 B flits, CXL 2.0 section 4.2.3.
func (f *Flit) header() uint32 {
	h := uint32(1) << 4 // Sz: lines of 64 B
	if f.Ack {
		h |= 1 << 2
	}
	if f.BE {
		h |= 1 << 3
	}
	for i := range 4 {
		s := &f.Slots[i]
		code := uint32(s.Code)
		if i > 0 && s.Kind == Empty {
			code = 1 // a format whose messages are not valid: 0 is data
		}
		h |= code << (5 + 3*i)
	}
	c := f.Credits
	return h | uint32(c.Rsp)<<20 | uint32(c.Req)<<24 | uint32(c.Data)<<28
}

// headerBytes writes the messages of slot i.
func (f *Flit) headerBytes(m Mode, d Direction, i int, b *[16]byte) {
	s := &f.Slots[i]
	g := &formats[m][d][m.shape(i)][s.Code]
	if m != Flit68 {
		put(b[:], 0, 4, uint64(s.Code))
	}
	mine := f.Messages[s.First : s.First+s.Count]
	for k := range g.pieces {
		p := &g.pieces[k]
		msg := pick(mine, g, p)
		if msg == nil {
			continue
		}
		at := p.at
		for _, sp := range p.spans {
			put(b[:], at, int(sp.bits), msg.get(sp.field)&(1<<sp.bits-1))
			at += int(sp.bits)
		}
	}
}

// pick returns the message of a place; the messages of each class have the first places.
func pick(mine []Message, g *slotFormat, p *piece) *Message {
	before := 0 // places of the class in front of p
	for k := range g.pieces {
		q := &g.pieces[k]
		if q.class == p.class && q.index < p.index && q.spans[0].field == valid {
			before++
		}
	}
	for i := range mine {
		if mine[i].Class != p.class {
			continue
		}
		if before == 0 {
			return &mine[i]
		}
		before--
	}
	return nil
}

var noLine Line

func (s *Slot) dataBytes(b *[16]byte) []byte {
	l := s.Line
	if l == nil {
		l = &noLine
	}
	if s.Kind == Enables {
		*b = [16]byte{}
		binary.LittleEndian.PutUint64(b[:], l.BE)
		return b[:]
	}
	copy(b[:], l.Data[16*s.Chunk:])
	return b[:]
}
