package units

// An Area is in square millimetres.
type Area float64

// A Length is in millimetres.
type Length float64

var (
	areaUnits   = []scale{{"um2", 1, 1e6}, {"mm2", 1, 1}, {"cm2", 100, 1}}
	lengthUnits = []scale{{"nm", 1, 1e6}, {"um", 1, 1e3}, {"mm", 1, 1}, {"cm", 10, 1}, {"m", 1e3, 1}}
)

const (
	maxArea   = 1e9 // mm2
	maxLength = 1e5 // mm
)

// ParseArea parses an area, for example 814mm2.
func ParseArea(s string) (Area, error) {
	v, err := parseFloat(s, areaUnits)
	if err == nil {
		err = within(s, Area(v), maxArea)
	}
	return Area(v), err
}

// ParseLength parses a length, for example 20um.
func ParseLength(s string) (Length, error) {
	v, err := parseFloat(s, lengthUnits)
	if err == nil {
		err = within(s, Length(v), maxLength)
	}
	return Length(v), err
}

func (a Area) String() string   { return printFloat(float64(a), areaUnits) }
func (l Length) String() string { return printFloat(float64(l), lengthUnits) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Area) UnmarshalText(s []byte) error { return set(a, s, ParseArea) }

// MarshalText implements encoding.TextMarshaler.
func (a Area) MarshalText() ([]byte, error) { return text(a.String()) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Length) UnmarshalText(s []byte) error { return set(l, s, ParseLength) }

// MarshalText implements encoding.TextMarshaler.
func (l Length) MarshalText() ([]byte, error) { return text(l.String()) }
