package flit

// A Mode is a size and layout of flits, fixed for a link.
type Mode uint8

// The modes.
const (
	// Flit68: 2 B protocol identifier, 4 slots of 16 B the first of which holds
	// the flit header, 2 B CRC.
	Flit68 Mode = iota
	// Flit256: 2 B header, a slot of 14 B, 14 slots of 16 B, 2 B credits, 8 B CRC,
	// 6 B FEC.
	Flit256
	// FlitLatency is two halves with a CRC of 6 B each. Slot 7 lies in both, slot 8
	// has 12 B, the FEC is in the second half.
	FlitLatency
	// FlitPBR is Flit256 with messages that carry identifiers of source and
	// destination, 12 bits each, for port-based routing.
	FlitPBR
	Modes // number of values
)

var modeNames = [Modes]string{"68", "256", "latency", "pbr"}

func (m Mode) String() string { return modeNames[m] }

// Bytes returns the bytes of a flit on the link.
func (m Mode) Bytes() int {
	if m == Flit68 {
		return 68
	}
	return 256
}

// Slots returns the slots of a flit.
func (m Mode) Slots() int {
	if m == Flit68 {
		return 4
	}
	return 15
}

// SlotBytes returns the bytes of slot i, without the flit header of 68 B flits.
func (m Mode) SlotBytes(i int) int {
	switch {
	case m == Flit68 && i == 0:
		return 12
	case m != Flit68 && i == 0:
		return 14
	case m == FlitLatency && i == 8:
		return 12
	}
	return 16
}

// The shapes of slots, which have separate formats.
const (
	shapeH  = iota // first of a flit
	shapeG         // 16 B: a format or data
	shapeHS        // slot 8 of FlitLatency
	shapes
)

func (m Mode) shape(slot int) int {
	switch {
	case slot == 0:
		return shapeH
	case m == FlitLatency && slot == 8:
		return shapeHS
	}
	return shapeG
}

// group is the part of a flit to which limits of messages apply: a 68 B flit,
// or 128 B of a larger one.
func (m Mode) group(slot int) int {
	if m != Flit68 && slot >= 8 {
		return 1
	}
	return 0
}

// maxSlots is the number of slots of the largest flit.
const maxSlots = 15

// MaxBytes is the bytes of the largest flit.
const MaxBytes = 256
