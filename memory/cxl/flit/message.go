package flit

// A Line is the data of a message.
type Line struct {
	Data [64]byte
	BE   uint64 // byte enables, of messages with the flag ByteEnables
}

// A Message is one message of any class. Its layout, by class, uses only some of the fields.
type Message struct {
	Line       *Line  // data; nil is a line of zeros
	Addr       uint64 // of the line
	Ref        uint32 // for the simulation; not on the link
	Tag        uint16 // Tag, CQID, UQID or BITag
	SPID, DPID uint16 // port-based routing
	Aux        uint16 // BI-ID, RspData
	Class      Class
	Opcode     uint8
	SnpType    uint8
	MetaField  uint8
	MetaValue  uint8
	TC         uint8
	LD         uint8 // LD-ID, or cache ID
	Low        uint8 // DevLoad, RSP_PRE or LowAddr
	Flags      Flags
}

// Flags are the fields of one bit.
type Flags uint8

// The flags.
const (
	Poison      Flags = 1 << iota
	ByteEnables       // byte enables follow the data
	NonTemporal
	ChunkValid
	Bogus
	GoErr
)

// Slots returns the data slots of the message.
func (m *Message) Slots() int {
	switch {
	case !m.Class.HasData():
		return 0
	case m.Flags&ByteEnables != 0:
		return 5
	}
	return 4
}
