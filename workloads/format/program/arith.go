package program

import "math"

// followMap computes the elements of an elementwise result.
func (i *Inst) followMap(op Map) {
	out := i.out[0]
	if l := i.lines(op); l != nil {
		out.known = l
	}
	splat, floats := true, false
	for _, v := range i.in {
		if !v.known.each(out.Elements()) || v.known.ints == nil && v.known.floats == nil {
			return
		}
		splat = splat && v.known.splat
		floats = floats || v.known.floats != nil
	}
	if len(i.in) == 0 {
		return
	}
	n := int64(1)
	if !splat {
		n = out.Elements()
	}
	c := out.known
	if c == nil {
		c = &known{}
	}
	c.splat = splat
	args := make([]float64, len(i.in))
	for j := range n {
		for a, v := range i.in {
			args[a] = v.known.at(j)
		}
		x, ok := compute(op.Fn, args, out.Int && !floats)
		if !ok {
			return
		}
		if out.Int || out.Bool {
			c.ints = append(c.ints, int64(x))
		} else {
			c.floats = append(c.floats, x)
		}
	}
	out.known = c
}

func (k *known) at(j int64) float64 {
	if k.splat {
		j = 0
	}
	if k.ints != nil {
		return float64(k.ints[j])
	}
	return k.floats[j]
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// compute is the arithmetic of functions that shapes, counters and masks are made with. Whole
// numbers above 2^53 are not followed.
func compute(fn string, a []float64, whole bool) (x float64, ok bool) {
	if len(a) == 1 {
		return unary(fn, a[0])
	}
	if fn == "where" && len(a) == 3 {
		if a[0] != 0 {
			return a[1], true
		}
		return a[2], true
	}
	if len(a) != 2 {
		return 0, false
	}
	switch p, q := a[0], a[1]; fn {
	case "add":
		x = p + q
	case "sub":
		x = p - q
	case "mul":
		x = p * q
	case "div":
		if x = p / q; whole {
			x = math.Trunc(x)
		}
		if q == 0 {
			return 0, !whole
		}
	case "mod":
		x = math.Mod(p, q)
		if q == 0 {
			return 0, false
		}
	case "max":
		x = math.Max(p, q)
	case "min":
		x = math.Min(p, q)
	case "pow":
		x = math.Pow(p, q)
	default:
		return compared(fn, p, q)
	}
	return x, !whole || math.Abs(x) < 1<<53
}

func compared(fn string, p, q float64) (x float64, ok bool) {
	switch fn {
	case "and":
		return truth(p != 0 && q != 0), true
	case "or":
		return truth(p != 0 || q != 0), true
	case "equal":
		return truth(p == q), true
	case "not_equal":
		return truth(p != q), true
	case "less":
		return truth(p < q), true
	case "less_equal":
		return truth(p <= q), true
	case "greater":
		return truth(p > q), true
	case "greater_equal":
		return truth(p >= q), true
	}
	return 0, false
}

func unary(fn string, p float64) (float64, bool) {
	switch fn {
	case "neg":
		return -p, true
	case "not":
		return truth(p == 0), true
	case "abs":
		return math.Abs(p), true
	case "sqrt":
		return math.Sqrt(p), true
	case "rsqrt":
		return 1 / math.Sqrt(p), true
	case "exp":
		return math.Exp(p), true
	case "log":
		return math.Log(p), true
	case "identity":
		return p, true
	}
	return 0, false
}

// lines is the result of arithmetic on positions, and of comparisons of them.
func (i *Inst) lines(op Map) *known {
	if op.Fn == "and" || op.Fn == "not" || op.Fn == "not_equal" {
		return i.logic(op)
	}
	if len(i.in) != 2 {
		return nil
	}
	p, ok1 := i.in[0].line()
	q, ok2 := i.in[1].line()
	if !ok1 || !ok2 || i.in[0].known.splat && i.in[1].known.splat {
		return nil
	}
	switch op.Fn {
	case "add":
		return &known{line: plus(p, q, 1)}
	case "sub":
		return &known{line: plus(p, q, -1)}
	case "greater_equal":
		return &known{where: []line{*plus(p, q, -1)}}
	case "less_equal":
		return &known{where: []line{*plus(q, p, -1)}}
	case "greater":
		return &known{where: []line{shifted(*plus(p, q, -1), -1)}}
	case "less":
		return &known{where: []line{shifted(*plus(q, p, -1), -1)}}
	}
	return nil
}

func (i *Inst) logic(op Map) *known {
	a := i.in[0].known
	switch {
	case op.Fn == "not" && a != nil && len(a.where) == 1:
		w := line{off: -a.where[0].off - 1}
		for _, x := range a.where[0].by {
			w.by = append(w.by, -x)
		}
		return &known{where: []line{w}}
	case op.Fn == "and" && a != nil && a.where != nil && i.in[1].known != nil && i.in[1].known.where != nil:
		return &known{where: append(append([]line{}, a.where...), i.in[1].known.where...)}
	case op.Fn == "not_equal" && a != nil && a.where != nil: // a truth value as a number, compared with 0
		if x, ok := i.in[1].Scalar(); ok && x == 0 {
			return a
		}
	}
	return nil
}

// line is the position that v is, or a constant.
func (v *Value) line() (line, bool) {
	switch k := v.known; {
	case k == nil || v.Bool:
	case k.line != nil:
		return *k.line, true
	case k.splat && k.ints != nil:
		return line{by: make([]int64, len(v.Shape)), off: k.ints[0]}, true
	case k.splat && k.floats[0] == math.Trunc(k.floats[0]) && math.Abs(k.floats[0]) < 1<<40:
		return line{by: make([]int64, len(v.Shape)), off: int64(k.floats[0])}, true
	}
	return line{}, false
}

func plus(p, q line, sign int64) *line {
	out := line{by: make([]int64, len(p.by)), off: p.off + sign*q.off}
	for d := range out.by {
		out.by[d] = p.by[d] + sign*q.by[d]
	}
	return &out
}

func shifted(l line, n int64) line { l.off += n; return l }
