package flit

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/components/ring"
)

// ErrCRC is the error of a flit with bit errors that its FEC, if any, did not correct.
var ErrCRC = errors.New("flit: CRC does not match")

// An Unpacker reads the flits of one direction in order, since data may be in later flits than
// their headers.
type Unpacker struct {
	mode      Mode
	direction Direction
	open      ring.Of[coming]
	owed      int // slots of data whose headers have come
}

// coming is a message whose data are not complete.
type coming struct {
	Message
	got uint8
}

// NewUnpacker makes an unpacker.
func NewUnpacker(m Mode, d Direction) *Unpacker { return &Unpacker{mode: m, direction: d} }

// Owed returns the data slots to come.
func (u *Unpacker) Owed() int { return u.owed }

// Unpack reads one flit into f (header, slots, messages, flags), and appends the complete
// messages to out, those with data in the order of headers. It allocates their Lines. After an
// error the unpacker is unusable: call Check before, to detect bit errors.
func (u *Unpacker) Unpack(b []byte, f *Flit, out []Message) ([]Message, error) {
	f.reset()
	if len(b) != u.mode.Bytes() {
		return out, fmt.Errorf("flit: %d bytes (want %d)", len(b), u.mode.Bytes())
	}
	if !Check(u.mode, b) {
		return out, ErrCRC
	}
	var codes uint32
	if u.mode == Flit68 {
		if id := binary.LittleEndian.Uint16(b); id != protocolMem {
			return out, fmt.Errorf("flit: protocol %#04x (want %#04x, cache and mem)", id, protocolMem)
		}
		f.AllData = u.owed >= 4
		if !f.AllData {
			h := binary.LittleEndian.Uint32(b[2:])
			if h&1 != 0 {
				return out, errors.New("flit: a control flit where one of messages is wanted")
			}
			if h>>4&1 == 0 {
				return out, errors.New("flit: lines of 32 B (want 64 B)")
			}
			f.Ack, f.BE = h>>2&1 != 0, h>>3&1 != 0
			f.Credits = Credits{Rsp: uint8(h >> 20 & 15), Req: uint8(h >> 24 & 15), Data: uint8(h >> 28)}
			codes = h >> 5
		}
	} else {
		f.Head = binary.LittleEndian.Uint16(b)
		at := u.mode.creditAt()
		f.Credits = Credits{Rsp: b[at] >> 4, Req: b[at] & 15, BI: b[at+1] >> 4, Data: b[at+1] & 15}
	}
	return u.slots(b, f, codes, out)
}

func (u *Unpacker) slots(b []byte, f *Flit, codes uint32, out []Message) ([]Message, error) {
	var slot [16]byte
	for i := range u.mode.Slots() {
		shape := u.mode.shape(i)
		if f.AllData && i == 0 {
			copy(slot[:], b[2:18])
			out = u.data(f, i, &slot, out)
			continue
		}
		s := u.mode.readSlot(b, i, &slot)
		code := uint8(codes >> (3 * i) & 7)
		if shape == shapeG && u.owed > 0 {
			if u.mode == Flit68 && !f.AllData && code != codeData {
				return out, fmt.Errorf("flit: slot %d has format %d where data are to follow", i, code)
			}
			out = u.data(f, i, &slot, out)
			continue
		}
		list := formats[u.mode][u.direction][shape]
		if u.mode != Flit68 {
			if code = uint8(take(s, 0, 4)); code == codeEmpty {
				continue
			}
		} else if i > 0 && code == codeData {
			return out, fmt.Errorf("flit: slot %d has data of no message", i)
		}
		if int(code) >= len(list) {
			return out, fmt.Errorf("flit: slot %d has unknown format %d", i, code)
		}
		out = u.header(f, i, &list[code], s, out)
	}
	return out, nil
}

// header reads the messages of a slot.
func (u *Unpacker) header(f *Flit, i int, g *slotFormat, s []byte, out []Message) []Message {
	f.Slots[i] = Slot{Kind: Header, Code: g.code, First: uint8(len(f.Messages))}
	var found [8]Message // no format has as many
	var is [8]bool
	for k := range g.pieces {
		p := &g.pieces[k]
		at := p.at
		m := &found[p.index]
		m.Class = p.class
		for _, sp := range p.spans {
			v := take(s, at, int(sp.bits))
			if sp.field == valid {
				is[p.index] = v == 1
			}
			m.set(sp.field, v)
			at += int(sp.bits)
		}
	}
	for k := range g.total {
		if !is[k] {
			continue
		}
		m := found[k]
		if u.mode == Flit68 && m.Class.HasData() && f.BE {
			m.Flags |= ByteEnables
		}
		f.Slots[i].Count++
		if n := m.Slots(); n > 0 {
			m.Line = new(Line)
			u.open.Push(coming{Message: m})
			u.owed += n
		} else {
			out = append(out, m)
		}
		f.Messages = append(f.Messages, m)
	}
	if f.Slots[i].Count == 0 {
		f.Slots[i] = Slot{}
	}
	return out
}

// data reads a slot of data.
func (u *Unpacker) data(f *Flit, i int, s *[16]byte, out []Message) []Message {
	m := u.open.At(0)
	f.Slots[i] = Slot{Kind: Data, Line: m.Line, Chunk: m.got}
	if m.got < 4 {
		copy(m.Line.Data[16*m.got:], s[:])
	} else {
		f.Slots[i] = Slot{Kind: Enables, Line: m.Line}
		m.Line.BE = binary.LittleEndian.Uint64(s[:])
	}
	m.got++
	u.owed--
	if int(m.got) == m.Slots() {
		out = append(out, u.open.Pop().Message)
		f.Finished++
	}
	return out
}
