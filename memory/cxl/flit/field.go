package flit

// A field of a message on the link.
type field uint8

const (
	reserved field = iota
	valid
	opcode
	snpType
	metaField
	metaValue
	tag
	addr51x5 // bits 51 to 5
	addr51x6
	poison
	byteEnables
	tc
	ld
	spid
	dpid
	aux12
	low
	nonTemporal
	chunkValid
	bogus
	goErr
)

// A span is a field and its bits.
type span struct {
	field field
	bits  uint8
}

// flagOf is the flag after a field of one bit.
func flagOf(f field) Flags {
	switch f {
	case poison:
		return Poison
	case byteEnables:
		return ByteEnables
	case nonTemporal:
		return NonTemporal
	case chunkValid:
		return ChunkValid
	case bogus:
		return Bogus
	case goErr:
		return GoErr
	}
	return 0
}

func (m *Message) get(f field) uint64 {
	switch f {
	case reserved:
		return 0
	case valid:
		return 1
	case opcode:
		return uint64(m.Opcode)
	case snpType:
		return uint64(m.SnpType)
	case metaField:
		return uint64(m.MetaField)
	case metaValue:
		return uint64(m.MetaValue)
	case tag:
		return uint64(m.Tag)
	case addr51x5:
		return m.Addr >> 5
	case addr51x6:
		return m.Addr >> 6
	case tc:
		return uint64(m.TC)
	case ld:
		return uint64(m.LD)
	case spid:
		return uint64(m.SPID)
	case dpid:
		return uint64(m.DPID)
	case aux12:
		return uint64(m.Aux)
	case low:
		return uint64(m.Low)
	}
	if m.Flags&flagOf(f) != 0 {
		return 1
	}
	return 0
}

func (m *Message) set(f field, v uint64) {
	switch f {
	case reserved, valid:
	case opcode:
		m.Opcode = uint8(v)
	case snpType:
		m.SnpType = uint8(v)
	case metaField:
		m.MetaField = uint8(v)
	case metaValue:
		m.MetaValue = uint8(v)
	case tag:
		m.Tag = uint16(v)
	case addr51x5:
		m.Addr = v << 5
	case addr51x6:
		m.Addr = v << 6
	case tc:
		m.TC = uint8(v)
	case ld:
		m.LD = uint8(v)
	case spid:
		m.SPID = uint16(v)
	case dpid:
		m.DPID = uint16(v)
	case aux12:
		m.Aux = uint16(v)
	case low:
		m.Low = uint8(v)
	default:
		if v != 0 {
			m.Flags |= flagOf(f)
		}
	}
}

// Kept returns m as received: with only the fields of its layout in mode.
func (mode Mode) Kept(m Message) Message {
	out := Message{Line: m.Line, Ref: m.Ref, Class: m.Class}
	for _, s := range layouts[mode.layout()][m.Class] {
		out.set(s.field, m.get(s.field)&(1<<s.bits-1))
	}
	if mode == Flit68 && m.Class.HasData() {
		out.Flags |= m.Flags & ByteEnables // told by the flit header
	}
	return out
}

// put writes the low n bits of v at bit position at, least significant first.
func put(b []byte, at, n int, v uint64) {
	for n > 0 {
		k := min(8-at&7, n)
		b[at>>3] |= byte(v&(1<<k-1)) << (at & 7)
		v >>= k
		at += k
		n -= k
	}
}

// take reads n bits from bit position at.
func take(b []byte, at, n int) (v uint64) {
	for got := 0; got < n; {
		k := min(8-at&7, n-got)
		v |= uint64(b[at>>3]>>(at&7)) & (1<<k - 1) << got
		at += k
		got += k
	}
	return v
}
