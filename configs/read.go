package configs

import (
	"math"
	"strconv"
)

// String is the text of a String value.
func (v Value) String() (string, error) {
	if v.Kind() != String {
		return "", v.wrongKind(String)
	}
	return v.n.text, nil
}

// Int returns a whole number; 2.0 and 1e3 are whole. Other values are an error.
func (v Value) Int() (int64, error) {
	switch v.Kind() {
	case Int:
		i, err := strconv.ParseInt(v.n.text, 10, 64)
		if err != nil {
			return 0, v.Errorf(nil, "%s is out of range", v.n.text)
		}
		return i, nil
	case Float:
		f, _ := strconv.ParseFloat(v.n.text, 64)
		// From 2^53 on a float names no single whole number.
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f), nil
		}
	}
	return 0, v.wrongKind(Int)
}

// Bool is true or false. Words such as yes and on are text.
func (v Value) Bool() (bool, error) {
	if v.Kind() != Bool {
		return false, v.wrongKind(Bool)
	}
	return v.n.text == "true", nil
}

// Float returns a number. Other kinds are an error.
func (v Value) Float() (float64, error) {
	if k := v.Kind(); k != Int && k != Float {
		return 0, v.wrongKind(Float)
	}
	f, err := strconv.ParseFloat(v.n.text, 64)
	if err != nil {
		return 0, v.Errorf(nil, "%s is out of range", v.n.text)
	}
	return f, nil
}

// Text is a scalar as written; "" for other values.
func (v Value) Text() string {
	if k := v.Kind(); k == Null || k == List || k == Map {
		return ""
	}
	return v.n.text
}

// Any returns the plain tree: nil, bool, int64 (uint64 or float64 if it does not fit), float64,
// string, []any, map[string]any.
func (v Value) Any() any { return v.n.any() }

func (n *node) any() any {
	if n == nil {
		return nil
	}
	switch n.kind {
	case Bool:
		return n.text == "true"
	case Int:
		if i, err := strconv.ParseInt(n.text, 10, 64); err == nil {
			return i
		}
		if u, err := strconv.ParseUint(n.text, 10, 64); err == nil {
			return u
		}
		f, _ := strconv.ParseFloat(n.text, 64)
		return f
	case Float:
		f, _ := strconv.ParseFloat(n.text, 64)
		return f
	case String:
		return n.text
	case List:
		out := make([]any, len(n.items))
		for i, x := range n.items {
			out[i] = x.any()
		}
		return out
	case Map:
		out := make(map[string]any, len(n.entries))
		for _, e := range n.entries {
			out[e.key] = e.val.any()
		}
		return out
	}
	return nil
}

// Uint returns a whole number from 0 to 2^64-1. Other values are an error.
func (v Value) Uint() (uint64, error) { return v.uint(math.MaxUint64) }

func (v Value) uint(most uint64) (uint64, error) {
	if v.Kind() == Int {
		if u, err := strconv.ParseUint(v.n.text, 10, 64); err == nil && u <= most {
			return u, nil
		}
		return 0, v.Errorf(nil, "%s is out of range (want 0 to %d)", v.n.text, most)
	}
	i, err := v.Int()
	if err == nil && (i < 0 || uint64(i) > most) {
		err = v.Errorf(nil, "%d is out of range (want 0 to %d)", i, most)
	}
	return uint64(i), err
}
