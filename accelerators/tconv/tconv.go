package tconv

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Lowering is a way to compute a transposed convolution.
type Lowering uint8

// The values of Lowering.
const (
	Scatter Lowering = iota
	InputOriented
	ZeroInsertion
)

var names = []string{"scatter", "input_oriented", "zero_insertion"}

func (l Lowering) String() string { return names[l] }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Lowering) UnmarshalText(b []byte) error {
	for i, n := range names {
		if n == string(b) {
			*l = Lowering(i)
			return nil
		}
	}
	return fmt.Errorf("unknown lowering %q", b)
}

// MarshalText implements encoding.TextMarshaler.
func (l Lowering) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// ConfigValues lists the names, for schemas and messages.
func (Lowering) ConfigValues() []string { return names }

// A Work is the counts of a lowering for one image and one pair of channels.
type Work struct {
	Products int64 // carried out
	Landing  int64 // of them, those inside the output and not by an inserted zero
	Adds     int64 // of partial sums in a buffer, after the products
	Partial  int64 // partial sums kept at a time, per image and filter
}

// Of returns the counts of transposed convolution c.
func Of(c graph.Conv, l Lowering) Work {
	channels := int64(c.N) * int64(c.C) * int64(c.K/c.Groups)
	all := int64(c.H) * int64(c.W) * int64(c.R) * int64(c.S)
	landing := c.EffectiveMACs() / channels
	switch l {
	case InputOriented:
		return Work{Products: all, Landing: landing, Adds: landing, Partial: all}
	case ZeroInsertion:
		return Work{Products: int64(c.OutH()) * int64(c.OutW()) * int64(c.R) * int64(c.S), Landing: landing, Partial: 1}
	}
	// Rows of outputs that some input row still adds to.
	rows := int64(c.DilationH*(c.R-1) + 1)
	return Work{Products: landing, Landing: landing, Partial: min(rows, int64(c.OutH())) * int64(c.OutW())}
}

// An Engine multiplies Width input channels by the weights of Lanes filters in each cycle; each
// lane adds its products up. Both are at least 1.
type Engine struct{ Lanes, Width int64 }

// folds are the turns over groups of filters, and of channels, of one group of the
// convolution.
func (e Engine) folds(c graph.Conv) (filters, channels int64) {
	return integer.Ceil(int64(c.K/c.Groups), e.Lanes), integer.Ceil(int64(c.C/c.Groups), e.Width)
}

// Cycles returns the cycles of the products, one per cycle, and of the overlapping sums after
// them, one per lane and cycle.
func (e Engine) Cycles(c graph.Conv, l Lowering) int64 {
	cf, sf := e.folds(c)
	w := Of(c, l)
	return int64(c.N*c.Groups) * (w.Products*cf*sf + w.Adds*cf)
}

// Streaming returns the cycles of the later engine: the products that land (all without skip),
// then the output of complete rows through the lanes, and a start per input row.
//
//	sum over input rows of taps_y x taps_x x CF x SF
//	+ sum over bands of rows_kept x OutW x CF
//	+ 21 H - 34 with skipping, 17 H - 34 without
//
// The author states an error of at most 3% or 6 cycles per row, whichever is larger.
func (e Engine) Streaming(c graph.Conv, skip bool) int64 {
	cf, sf := e.folds(c)
	w, start := Of(c, InputOriented), int64(17)
	if skip {
		w, start = Of(c, Scatter), 21
	}
	out := int64(c.OutH()) * int64(c.OutW())
	return int64(c.N*c.Groups) * (w.Products*cf*sf + out*cf + start*int64(c.H) - 34)
}
