package flit

// A Class is a message channel of CXL.mem or CXL.cache, with its own credits and limit per flit.
type Class uint8

// The classes, first those towards the device, then those towards the host.
const (
	M2SReq   Class = iota // CXL.mem: request without data
	M2SRwD                // request with data: a write
	M2SBIRsp              // answer to a back-invalidate snoop
	H2DReq                // CXL.cache: snoop
	H2DRsp
	H2DData
	S2MNDR   // CXL.mem: answer without data
	S2MDRS   // answer with data
	S2MBISnp // back-invalidate snoop
	D2HReq   // CXL.cache: request of the device
	D2HRsp
	D2HData
	Classes // number of values
)

var classNames = [Classes]string{
	"M2SReq", "M2SRwD", "M2SBIRsp", "H2DReq", "H2DRsp", "H2DData",
	"S2MNDR", "S2MDRS", "S2MBISnp", "D2HReq", "D2HRsp", "D2HData",
}

func (c Class) String() string { return classNames[c] }

// HasData reports whether a line of 64 bytes follows the message.
func (c Class) HasData() bool { return withData>>c&1 != 0 }

const withData = 1<<M2SRwD | 1<<H2DData | 1<<S2MDRS | 1<<D2HData

// Direction returns the direction of the class.
func (c Class) Direction() Direction {
	if c < S2MNDR {
		return Down
	}
	return Up
}

// A Direction is one side of a link.
type Direction uint8

// The directions.
const (
	Down Direction = iota // host to device
	Up                    // device to host
	// Either has the classes of both directions, for FlitPBR only: between switches of a fabric
	// hosts and devices are on both sides.
	Either
	directions
)

// classes are the classes of a direction.
func (d Direction) classes() (first, end Class) {
	switch d {
	case Down:
		return M2SReq, S2MNDR
	case Up:
		return S2MNDR, Classes
	}
	return M2SReq, Classes
}
