package trace

import (
	"io"

	"github.com/causeway-sim/causeway/components/registry"
)

// Options say what a file leaves open.
type Options struct {
	Format string // a name in All; "" looks at the content
	// Line is the bytes that a line or object number stands for, in formats that
	// count those; 0 is 64.
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
	// Header is known from the start, except for what only records tell.
	Header() *Header
	// Next reads one record. The error is io.EOF at the end and else an *Error;
	// it stays the same from then on. Next does not allocate.
	Next(r *Record) error
	// Pos is where the last record stands.
	Pos() Pos
}

// A Writer writes a trace. Close writes what is left; it does not close the
// file beneath.
type Writer interface {
	Write(r *Record) error
	Close() error
}

// A Format is one file format.
type Format struct {
	// Holds are the fields that the format has a place for.
	Holds Fields
	// Tick is the unit that times are converted to where Takes does not take theirs;
	// a nil Takes takes this one only.
	Tick  Tick
	Takes func(Tick) bool
	// Objects tells that sizes may be those of stored objects.
	Objects bool
	// Sized records need a size.
	Sized bool
	// Vectors has addresses as vectors of levels: Options.Levels.
	Vectors bool
	// Sniff says how sure it is that the input is of this format: 0 not at all,
	// 100 certain. Head is what the file begins with, after decompression;
	// whole tells that it is all of it.
	Sniff func(name string, head []byte, whole bool) int
	// Open reads the header.
	Open func(s *Source, o Options) (Reader, error)
	// Create writes the header. It refuses what the format cannot say.
	Create func(w io.Writer, h Header) (Writer, error)
}

// All holds the formats by name.
var All = registry.New[Format]("trace format")
