package symmetry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Digit is a digit of the numbers of ranks, as in package symmetry.
type Digit struct{ Unit, Base int32 }

// Turn moves a rank by one.
func (d Digit) Turn(r int32) int32 { return d.by(1, r) }

// by moves a rank by n of at most Base.
func (d Digit) by(n, r int32) int32 {
	y := r / d.Unit % d.Base
	to := y + n
	if to >= d.Base {
		to -= d.Base
	}
	return r + (to-y)*d.Unit
}

// value is the digit of a rank.
func (d Digit) value(r int32) int32 { return r / d.Unit % d.Base }

// apart reports whether two digits do not overlap: then turning them commutes.
func (d Digit) apart(o Digit) bool {
	below := func(a, b Digit) bool { return b.Unit%(a.Unit*a.Base) == 0 }
	return below(d, o) || below(o, d)
}

// digits lists those of n ranks, the largest Base first.
func digits(n int32) (out []Digit) {
	var of []int32
	for d := int32(1); d <= n; d++ {
		if n%d == 0 {
			of = append(of, d)
		}
	}
	for _, unit := range of {
		for _, base := range of {
			if base > 1 && n/unit%base == 0 {
				out = append(out, Digit{unit, base})
			}
		}
	}
	slices.SortFunc(out, func(a, b Digit) int { return cmp.Or(cmp.Compare(b.Base, a.Base), cmp.Compare(a.Unit, b.Unit)) })
	return out
}

// A Group is digits that turn. Its elements are numbered from 0, which moves nothing.
type Group struct{ digits []Digit }

// Order is the number of elements, and of the ranks that each represented one stands for.
func (g *Group) Order() int32 {
	n := int32(1)
	for _, d := range g.digits {
		n *= d.Base
	}
	return n
}

// Rep is the rank that stands for a rank: its digits that turn are 0.
func (g *Group) Rep(r int32) int32 {
	for _, d := range g.digits {
		r -= d.value(r) * d.Unit
	}
	return r
}

// Of is the element that moves Rep(r) to r.
func (g *Group) Of(r int32) (e int32) {
	for _, d := range g.digits {
		e = e*d.Base + d.value(r)
	}
	return e
}

// Move is the rank to which an element moves a rank.
func (g *Group) Move(e, r int32) int32 {
	for i := len(g.digits) - 1; i >= 0; i-- {
		d := g.digits[i]
		r = d.by(e%d.Base, r)
		e /= d.Base
	}
	return r
}

// Back is the rank that an element moves to r.
func (g *Group) Back(e, r int32) int32 {
	for i := len(g.digits) - 1; i >= 0; i-- {
		d := g.digits[i]
		r = d.by((d.Base-e%d.Base)%d.Base, r)
		e /= d.Base
	}
	return r
}

// String names the digits, for messages.
func (g *Group) String() string {
	var all []string
	for _, d := range g.digits {
		all = append(all, fmt.Sprintf("%d at distance %d", d.Base, d.Unit))
	}
	return strings.Join(all, ", ")
}
