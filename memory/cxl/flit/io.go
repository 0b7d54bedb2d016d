package flit

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A TLP is a packet of CXL.io: a PCI Express transaction. Flits of CXL.io hold no messages.
type TLP struct {
	Type     uint8 // 5 bits
	Wide     bool  // header of 4 doublewords: 64-bit address
	HasData  bool
	Data     uint16 // doublewords, 1 to 1024
	Requests [12]byte
}

// IOBytes returns the bytes of packets in a flit of CXL.io: 64 B; 236 B of a larger flit (PCI
// Express 6.0, section 4.2.3: 6 B are for the data link layer).
func (m Mode) IOBytes() int {
	if m == Flit68 {
		return 64
	}
	return 236
}

// IOSize returns the bytes of a packet in flits: header and data, in 68 B flits also 4 B of
// framing and 4 B of LCRC.
func (m Mode) IOSize(t TLP) int {
	n := 12
	if t.Wide {
		n = 16
	}
	if t.HasData {
		n += 4 * int(t.Data)
	}
	if m == Flit68 {
		n += 8
	}
	return n
}

// first is the first doubleword: format, type and length where PCI Express has
// them.
func (t TLP) first() (v uint32) {
	v = uint32(t.Type&31)<<24 | uint32(t.Data)&1023
	if t.Wide {
		v |= 1 << 29
	}
	if t.HasData {
		v |= 1 << 30
	}
	return v
}

// framing marks the doubleword in front of a packet in 68 B flits (STP).
//
// assumption: a mark and the length; sequence number and parity are left out.
const framing = 0xF << 28

// AppendTLP appends a packet in the form of flits, with zeros for data and LCRC.
func (m Mode) AppendTLP(b []byte, t TLP) []byte {
	size := m.IOSize(t)
	end := len(b) + size
	if m == Flit68 {
		b = binary.BigEndian.AppendUint32(b, framing|uint32(size/4))
	}
	b = binary.BigEndian.AppendUint32(b, t.first()|1<<23) // bit 23 tells a packet from padding
	rest := 8
	if t.Wide {
		rest = 12
	}
	b = append(b, t.Requests[:rest]...)
	for len(b) < end {
		b = append(b, 0)
	}
	return b
}

// ReadTLP reads the packet at the start of a stream, and returns its bytes n. Padding is 4 bytes,
// with is false.
func (m Mode) ReadTLP(b []byte) (t TLP, n int, is bool, err error) {
	if len(b) < 4 {
		return t, 0, false, errors.New("flit: a packet ends after the last flit")
	}
	framed := 0
	if m == Flit68 {
		v := binary.BigEndian.Uint32(b)
		if v == 0 {
			return t, 4, false, nil
		}
		if v&framing != framing {
			return t, 0, false, fmt.Errorf("flit: %#08x is no start of a packet", v)
		}
		framed = int(v&0xFFFF) * 4
		if b = b[4:]; len(b) < 4 {
			return t, 0, false, errors.New("flit: a packet ends after the last flit")
		}
	}
	v := binary.BigEndian.Uint32(b)
	if m != Flit68 && v == 0 {
		return t, 4, false, nil
	}
	if v>>23&1 == 0 {
		return t, 0, false, fmt.Errorf("flit: %#08x is no packet", v)
	}
	t = TLP{Type: uint8(v >> 24 & 31), Wide: v>>29&1 != 0, HasData: v>>30&1 != 0, Data: uint16(v & 1023)}
	if t.HasData && t.Data == 0 {
		t.Data = 1024
	}
	n = m.IOSize(t)
	if framed != 0 && framed != n {
		return t, 0, false, fmt.Errorf("flit: a packet of %d bytes in a frame of %d", n, framed)
	}
	rest := 8
	if t.Wide {
		rest = 12
	}
	have := n
	if m == Flit68 {
		have -= 4
	}
	if len(b) < have {
		return t, 0, false, errors.New("flit: a packet ends after the last flit")
	}
	copy(t.Requests[:rest], b[4:])
	return t, n, true, nil
}

// EncodeIO writes the next bytes of a stream to a flit of CXL.io, and returns the rest of the
// stream.
func EncodeIO(m Mode, stream []byte, b *[MaxBytes]byte) (rest []byte) {
	*b = [MaxBytes]byte{}
	n := min(len(stream), m.IOBytes())
	if m == Flit68 {
		binary.LittleEndian.PutUint16(b[:], protocolIO)
		copy(b[2:], stream[:n])
		return stream[n:]
	}
	m.spread(b[:], stream[:n], true)
	protect(m, b)
	return stream[n:]
}

// DecodeIO appends the bytes of a flit of CXL.io to a stream.
func DecodeIO(m Mode, b []byte, stream []byte) ([]byte, error) {
	switch {
	case len(b) != m.Bytes():
		return stream, fmt.Errorf("flit: %d bytes (want %d)", len(b), m.Bytes())
	case m == Flit68:
		if id := binary.LittleEndian.Uint16(b); id != protocolIO {
			return stream, fmt.Errorf("flit: protocol %#04x (want %#04x, CXL.io)", id, protocolIO)
		}
		return append(stream, b[2:66]...), nil
	case !Check(m, b):
		return stream, ErrCRC
	}
	at := len(stream)
	stream = append(stream, make([]byte, m.IOBytes())...)
	m.spread(b, stream[at:], false)
	return stream, nil
}

// spread copies between a stream and the bytes of a larger flit that are not
// header, CRC or FEC; into the flit if to is set.
func (m Mode) spread(b, stream []byte, to bool) {
	areas := [][2]int{{2, 242}}
	if m == FlitLatency {
		areas = [][2]int{{2, 122}, {128, 244}}
	}
	for _, a := range areas {
		part := b[a[0]:a[1]]
		n := min(len(part), len(stream))
		if to {
			copy(part, stream[:n])
		} else {
			copy(stream[:n], part)
		}
		stream = stream[n:]
	}
}
