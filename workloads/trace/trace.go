package trace

import (
	"io"

	"github.com/causeway-sim/causeway/components/registry"
)

// Options set what a file leaves open.
type Options struct {
	Format string // a name in All; "" looks at the content
	// Line is the number of bytes per line or object number, in formats with such numbers; 0 is
	// 64.
	Line uint64
	// Levels are the sizes of the levels of an address vector, the outermost
	// first, for ramulator_readwrite; nil takes the widths of its doc.
	Levels []uint64
}

func (o Options) line() uint64 {
	if o.Line == 0 {
		return 64
	}
	return o.Line
}

// A Reader reads one trace from front to back.
type Reader interface {
	// Header is valid from the start, except for fields that only records determine.
	Header() *Header
	// Next reads one record. The error is io.EOF at the end and else an *Error;
	// it stays the same from then on. Next does not allocate.
	Next(r *Record) error
	// Pos returns the place of the last record.
	Pos() Pos
}

// A Writer writes a trace. Close writes buffered records; it does not close the file.
type Writer interface {
	Write(r *Record) error
	Close() error
}

// A Format is one file format.
type Format struct {
	// Holds is the set of fields that the format can hold.
	Holds Fields
	// Tick is the unit to which times are converted if Takes rejects theirs; a nil Takes accepts
	// Tick only.
	Tick  Tick
	Takes func(Tick) bool
	// Objects is set if sizes may be those of stored objects.
	Objects bool
	// Sized is set if records need a size.
	Sized bool
	// Vectors is set if addresses are vectors of levels: Options.Levels.
	Vectors bool
	// Sniff returns how likely the input has this format, from 0 (not) to 100 (certainly). head is
	// the decompressed begin of the file; whole is set if it is the whole file.
	Sniff func(name string, head []byte, whole bool) int
	// Open reads the header.
	Open func(s *Source, o Options) (Reader, error)
	// Create writes the header. It returns an error if the format cannot hold the header.
	Create func(w io.Writer, h Header) (Writer, error)
}

// All holds the formats by name.
var All = registry.New[Format]("trace format")
