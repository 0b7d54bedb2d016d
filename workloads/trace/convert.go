package trace

import (
	"fmt"
	"io"
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
)

// A Conversion holds the parameters for writing a trace in another format.
type Conversion struct {
	Format string
	Clock  clock.Clock // of cycles, where one side counts them and the other seconds; zero: not known
	Bytes  uint32      // size of accesses where the trace has none and the format needs one; 0 is 64
	Limit  uint64      // records; 0: all
}

// Convert writes the records of f into w. It returns their number and the fields that the format
// cannot hold. Addresses are unchanged; times are rounded down.
func (c Conversion) Convert(w io.Writer, f Reader) (n uint64, dropped Fields, err error) {
	e, ok := All.Entry(c.Format)
	if !ok {
		return 0, 0, &Error{Pos: Pos{Offset: -1}, File: "trace", Msg: fmt.Sprintf("unknown trace format %q", c.Format), Want: All.Names()}
	}
	h := *f.Header()
	had := h.Fields
	to, scale, err := c.times(e.New, h.Tick)
	if err != nil {
		return 0, 0, err
	}
	h.Tick = to
	fill, foreign := c.shape(e.New, &h)
	out, err := e.New.Create(w, h)
	if err != nil {
		return 0, 0, fmt.Errorf("cannot be written as %s: %w", c.Format, err)
	}
	var r Record
	for c.Limit == 0 || n < c.Limit {
		if err := f.Next(&r); err == io.EOF {
			break
		} else if err != nil {
			if e := out.Close(); e != nil {
				return n, 0, e
			}
			return n, had &^ h.Fields, err // what was read before counts
		}
		if h.Fields&Times == 0 {
			r.Time = 0
		} else if r.Time, ok = scale.Floor(r.Time); !ok {
			return n, 0, fmt.Errorf("record %d: the time passes 2^64 as %s", n+1, to)
		}
		if fill > 0 || foreign {
			r.Size = fill
		}
		if err := out.Write(&r); err != nil {
			return n, 0, fmt.Errorf("record %d cannot be written as %s: %w", n+1, c.Format, err)
		}
		n++
	}
	return n, had &^ h.Fields, out.Close()
}

// shape makes a header that of the written trace, whose tick it has. fill is the size of
// accesses that have none, or 0; foreign: sizes are of objects, which accesses do not have.
func (c Conversion) shape(to Format, h *Header) (fill uint32, foreign bool) {
	if h.Tick.Unit == NoTime {
		h.Fields &^= Times
	}
	h.Fields &= to.Holds
	if foreign = h.Objects && !to.Objects; foreign {
		h.Fields &^= Sizes
		h.Objects = false
	}
	if to.Sized && h.Fields&Sizes == 0 {
		if fill = c.Bytes; fill == 0 {
			fill = 64
		}
		h.Fields |= Sizes
	}
	if h.Fields&Tensors == 0 {
		h.Tensors = nil
	}
	return fill, foreign
}

// times finds the unit of the written times, and the factor that leads to it.
// Times that count something else altogether are dropped.
func (c Conversion) times(f Format, from Tick) (Tick, Scale, error) {
	same := Scale{1, 1}
	takes := f.Takes
	if takes == nil {
		takes = func(t Tick) bool { return t == f.Tick }
	}
	to := f.Tick
	switch {
	case f.Holds&Times == 0 || from.Unit == NoTime:
		return Tick{}, same, nil
	case takes(from):
		return from, same, nil
	case from.Unit == Instructions || to.Unit == Instructions:
		return Tick{}, same, nil
	}
	a, b := from, to
	for _, t := range []*Tick{&a, &b} {
		if t.Unit != Cycles {
			continue
		}
		if c.Clock.IsZero() {
			return Tick{}, same, fmt.Errorf("times count %s, and %s has %s: a clock is needed", from, c.Format, to)
		}
		*t = Tick{Seconds, c.Clock.Num(), c.Clock.Den()}
	}
	r, err := NewScale(a, b)
	return to, r, err
}

// A Scale converts times between ticks exactly.
type Scale struct{ num, den uint64 }

// NewScale returns the scale from one tick of seconds to another.
func NewScale(from, to Tick) (Scale, error) {
	x, y, u, v := from.Num, from.Den, to.Den, to.Num // from/to = x*u / (y*v)
	x, y = reduce(x, y)
	u, v = reduce(u, v)
	x, v = reduce(x, v)
	u, y = reduce(u, y)
	h1, num := bits.Mul64(x, u)
	h2, den := bits.Mul64(y, v)
	if h1 != 0 || h2 != 0 || den == 0 {
		return Scale{}, fmt.Errorf("times of %s and %s have no common measure in 64 bits", from, to)
	}
	return Scale{num, den}, nil
}

func reduce(a, b uint64) (uint64, uint64) {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / max(x, 1), b / max(x, 1)
}

// Floor converts t, rounded down; ok is false beyond 64 bits.
func (r Scale) Floor(t uint64) (v uint64, ok bool) {
	hi, lo := bits.Mul64(t, r.num)
	if hi >= r.den {
		return 0, false
	}
	v, _ = bits.Div64(hi, lo, r.den)
	return v, true
}

// Ceil converts t, rounded up; ok is false beyond 64 bits.
func (r Scale) Ceil(t uint64) (v uint64, ok bool) {
	hi, lo := bits.Mul64(t, r.num)
	if hi >= r.den {
		return 0, false
	}
	v, rest := bits.Div64(hi, lo, r.den)
	if rest > 0 {
		v++
	}
	return v, v != 0 || rest == 0
}
