package formula

import (
	"fmt"
	"math"
	"strconv"
)

// A Value is a quantity, a text or a condition.
type Value struct {
	X    float64 // in Unit; of a condition its violation, 0 if it holds
	Unit string  // base unit; "" for a plain number
	Text string
	kind valueKind
}

type valueKind int

const (
	isNumber valueKind = iota
	isText
	isCondition
)

// Number returns the quantity x in a base unit.
func Number(x float64, unit string) Value { return Value{X: x, Unit: unit} }

// Quantity reports whether the value is a number, with or without a unit.
func (v Value) Quantity() bool { return v.kind == isNumber }

// Holds reports whether the value is a condition that holds.
func (v Value) Holds() bool { return v.kind == isCondition && v.X == 0 }

// condition is one that misses by so much.
func condition(miss float64) Value { return Value{X: miss, kind: isCondition} }

func truth(holds bool) Value {
	if holds {
		return condition(0)
	}
	return condition(1)
}

func (v Value) String() string {
	switch v.kind {
	case isText:
		return strconv.Quote(v.Text)
	case isCondition:
		return "a condition"
	}
	return strconv.FormatFloat(v.X, 'g', -1, 64) + v.Unit
}

// apply carries out a binary operator.
func apply(op string, a, b Value) (Value, error) {
	switch {
	case op == "and" || op == "or":
		return joined(op, a, b)
	case (op == "==" || op == "!=") && a.kind == isText && b.kind == isText:
		return truth((a.Text == b.Text) == (op == "==")), nil
	case a.kind != isNumber || b.kind != isNumber:
		return Value{}, fmt.Errorf("%s cannot stand between %s and %s", op, a, b)
	case op == "*":
		unit := a.Unit + b.Unit
		if a.Unit != "" && b.Unit != "" {
			unit = a.Unit + "*" + b.Unit
		}
		return Number(a.X*b.X, unit), nil
	case op == "/":
		return ratio(a, b)
	case a.Unit != b.Unit:
		return Value{}, fmt.Errorf("%s cannot stand between %s and %s: their units differ", op, a, b)
	case op == "+":
		return Number(a.X+b.X, a.Unit), nil
	case op == "-":
		return Number(a.X-b.X, a.Unit), nil
	case op == "%":
		if b.X == 0 {
			return Value{}, fmt.Errorf("remainder of %s by zero", a)
		}
		return Number(math.Mod(a.X, b.X), a.Unit), nil
	}
	return compared(op, a, b), nil
}

// joined is the condition that both hold, or one of them.
func joined(op string, a, b Value) (Value, error) {
	if a.kind != isCondition || b.kind != isCondition {
		return Value{}, fmt.Errorf("%s joins conditions, and not %s and %s", op, a, b)
	}
	if op == "and" {
		return condition(a.X + b.X), nil
	}
	return condition(min(a.X, b.X)), nil
}

// ratio is a / b; that of equal units has none.
func ratio(a, b Value) (Value, error) {
	if b.X == 0 {
		return Value{}, fmt.Errorf("division of %s by zero", a)
	}
	unit := a.Unit
	switch {
	case a.Unit == b.Unit:
		unit = ""
	case b.Unit != "":
		unit += "/(" + b.Unit + ")"
	}
	return Number(a.X/b.X, unit), nil
}

// compared is a comparison of quantities of one unit. How far it is from holding is
// relative to what is compared with.
func compared(op string, a, b Value) Value {
	gap := (a.X - b.X) / max(math.Abs(b.X), 1e-300)
	if b.X == 0 {
		gap = a.X
	}
	switch op {
	case "==":
		return condition(math.Abs(gap))
	case "!=":
		return truth(a.X != b.X)
	case "<=":
		return condition(max(0, gap))
	case ">=":
		return condition(max(0, -gap))
	case "<":
		return strict(a.X < b.X, gap)
	case ">":
		return strict(a.X > b.X, -gap)
	}
	panic("formula: operator " + op)
}

// strict misses by something where two sides are equal.
func strict(holds bool, gap float64) Value {
	if holds {
		return condition(0)
	}
	return condition(max(gap, 1e-12))
}
