package stablehlo

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/program"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// maps are the elementwise operations by the name of their function.
var maps = map[string]string{
	"add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "remainder": "mod", "maximum": "max", "minimum": "min",
	"power": "pow", "and": "and", "or": "or", "xor": "xor", "not": "not", "negate": "neg", "abs": "abs", "sign": "sign",
	"ceil": "ceil", "floor": "floor", "round_nearest_even": "round", "round_nearest_afz": "round", "sqrt": "sqrt", "rsqrt": "rsqrt",
	"cbrt": "cbrt", "exponential": "exp", "exponential_minus_one": "expm1", "log": "log", "log_plus_one": "log1p", "logistic": "sigmoid",
	"tanh": "tanh", "sine": "sin", "cosine": "cos", "tan": "tan", "atan2": "atan2", "is_finite": "is_finite", "popcnt": "popcnt",
	"count_leading_zeros": "clz", "shift_left": "shift", "shift_right_logical": "shift", "shift_right_arithmetic": "shift",
	"clamp": "clamp", "select": "where", "erf": "erf", "erfc": "erfc", "erf_inv": "erf_inv", "lgamma": "lgamma", "digamma": "digamma",
	"sinh": "sinh", "cosh": "cosh", "asin": "asin", "acos": "acos", "atan": "atan", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh",
	"square": "square", "is_inf": "is_finite", "is_pos_inf": "is_finite", "is_neg_inf": "is_finite",
}

var directions = map[string]string{"EQ": "equal", "NE": "not_equal", "LT": "less", "LE": "less_equal", "GT": "greater", "GE": "greater_equal"}

// rules are the other operations. Files add theirs in init.
var rules = map[string]func(s *statement) ([]*program.Value, error){}

// Supported lists the operations that have a rule, sorted.
func Supported() []string {
	var out []string
	for name := range maps {
		out = append(out, name)
	}
	for name := range rules {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// add adds the instructions of an operation.
func (s *statement) add() ([]*program.Value, error) {
	dialect, name, ok := strings.Cut(s.name, ".")
	if !ok {
		return nil, s.unknown()
	}
	switch dialect {
	case "stablehlo", "mhlo", "chlo":
		if fn, ok := maps[name]; ok {
			return s.mapped(fn)
		}
		if rule := rules[name]; rule != nil {
			return rule(s)
		}
	case "func":
		if name == "call" {
			return s.call(s.symbol("callee"))
		}
	case "sdy":
		return s.shardy(name)
	case "arith":
		if name == "constant" {
			return rules[name](s)
		}
	}
	return nil, s.unknown()
}

// unknown is the error of an operation without a rule. It lists all of the file.
func (s *statement) unknown() error {
	var more []string
	seen := map[string]bool{}
	var walk func(r *region)
	walk = func(r *region) {
		for _, o := range r.ops {
			_, name, _ := strings.Cut(o.name, ".")
			if maps[name] == "" && rules[name] == nil && !strings.HasPrefix(o.name, "func.") && !strings.HasPrefix(o.name, "sdy.") && !strings.HasSuffix(o.name, ".return") && !seen[o.name] {
				seen[o.name] = true
				more = append(more, o.name)
			}
			for _, r := range o.regions {
				walk(r)
			}
		}
	}
	for _, f := range s.im.m.order {
		walk(f.body)
	}
	slices.Sort(more)
	e := s.im.m.fail(s.at, "unknown operation %s; of the file's operations these have no rule: %s", s.name, strings.Join(more, ", "))
	if strings.HasPrefix(s.name, "stablehlo.") || strings.HasPrefix(s.name, "mhlo.") || strings.HasPrefix(s.name, "chlo.") {
		e.Want = Supported()
	} else {
		e.Msg += "; operations of the dialects stablehlo, mhlo, chlo, func and sdy are read"
	}
	return e
}

// symbol is the symbol of an attribute, or the first one without a name.
func (s *statement) symbol(key string) string {
	if a, ok := s.attrs[key]; ok {
		return a.text
	}
	for _, a := range s.loose {
		if a.text != "" {
			return a.text
		}
	}
	return ""
}

// resultTypes are the types of the results; tokens are left out.
func (s *statement) resultTypes() ([]program.Type, error) {
	list := s.outs
	if !s.arrow && list == nil {
		list = s.types
	}
	if len(list) == 1 && len(list[0].tuple) > 0 {
		list = list[0].tuple
	}
	var out []program.Type
	for _, t := range list {
		if strings.Contains(t.elem, "token") && !t.array {
			continue
		}
		if err := s.im.usable(t, s.at); err != nil {
			return nil, err
		}
		out = append(out, t.Type)
	}
	if len(out) == 0 {
		return nil, s.fail("it has no type of a result")
	}
	return out, nil
}

// put adds one instruction whose results have the types of the operation.
func (s *statement) put(op program.Op, in ...*program.Value) ([]*program.Value, error) {
	types, err := s.resultTypes()
	if err != nil {
		return nil, err
	}
	return s.made(op, in, types...)
}

// made adds an instruction; errors name the operation.
func (s *statement) made(op program.Op, in []*program.Value, types ...program.Type) ([]*program.Value, error) {
	for n, v := range in {
		if v == nil {
			return nil, s.fail("operand %d is a token and no array", n)
		}
	}
	out, err := s.im.p.Add(int64(s.at), s.label, op, in, types...)
	if err != nil {
		return nil, s.fail("%v", err)
	}
	return out, nil
}

// arity checks the number of operands.
func (s *statement) arity(n int) error {
	if len(s.in) != n {
		return s.fail("%d operands (want %d)", len(s.in), n)
	}
	return nil
}

// operandsOf is the number of operands of elementwise functions that have not two.
var operandsOf = map[string]int{"where": 3, "clamp": 3, "not": 1, "neg": 1, "abs": 1, "sign": 1, "ceil": 1, "floor": 1, "round": 1, "sqrt": 1, "rsqrt": 1,
	"cbrt": 1, "exp": 1, "expm1": 1, "log": 1, "log1p": 1, "sigmoid": 1, "tanh": 1, "sin": 1, "cos": 1, "tan": 1, "is_finite": 1, "popcnt": 1, "clz": 1,
	"erf": 1, "erfc": 1, "erf_inv": 1, "lgamma": 1, "digamma": 1, "sinh": 1, "cosh": 1, "asin": 1, "acos": 1, "atan": 1, "asinh": 1, "acosh": 1, "atanh": 1, "square": 1}

// mapped adds an elementwise operation. Scalars that select and clamp take are repeated.
func (s *statement) mapped(fn string) ([]*program.Value, error) {
	n := operandsOf[fn]
	if n == 0 {
		n = 2
	}
	if err := s.arity(n); err != nil {
		return nil, err
	}
	types, err := s.resultTypes()
	if err != nil {
		return nil, err
	}
	t := types[len(types)-1]
	if fn == "where" && !s.arrow { // pred type, result type
		t = types[len(types)-1]
	}
	in := slices.Clone(s.in)
	for k, v := range in {
		if v != nil && len(v.Shape) == 0 && len(t.Shape) > 0 && (fn == "where" || fn == "clamp") {
			b, err := s.made(program.Broadcast{}, []*program.Value{v}, program.Type{Shape: t.Shape, Elem: v.Elem, Bool: v.Bool, Int: v.Int})
			if err != nil {
				return nil, err
			}
			in[k] = b[0]
		}
	}
	return s.made(program.Map{Fn: fn}, in, t)
}

// compare reads a comparison.
func (s *statement) compare() ([]*program.Value, error) {
	if err := s.arity(2); err != nil {
		return nil, err
	}
	dir := s.words
	if a, ok := s.attrs["comparison_direction"]; ok {
		dir = append(dir, strings.Trim(strings.TrimPrefix(strings.TrimPrefix(a.text, "#stablehlo<comparison_direction "), "#mhlo<comparison_direction "), "> "))
	}
	for _, w := range dir {
		if fn := directions[w]; fn != "" {
			if s.arrow {
				return s.put(program.Map{Fn: fn}, s.in...)
			}
			return s.made(program.Map{Fn: fn}, s.in, program.Type{Shape: s.in[0].Shape, Elem: graph.Int8, Bool: true})
		}
	}
	return nil, s.fail("no direction (want one of: EQ, NE, LT, LE, GT, GE)")
}

func init() {
	rules["compare"] = (*statement).compare
	rules["convert"] = func(s *statement) ([]*program.Value, error) { return s.put(program.Convert{}, s.in...) }
	rules["reduce_precision"] = rules["convert"]
	rules["reshape"] = func(s *statement) ([]*program.Value, error) { return s.put(program.Reshape{}, s.in...) }
	rules["constant"] = (*statement).constant
	rules["iota"] = func(s *statement) ([]*program.Value, error) {
		dim, err := s.list("iota_dimension", "dim")
		if err != nil || len(dim) != 1 {
			return nil, s.orElse(err, "no dimension")
		}
		return s.put(program.Iota{Dim: dim[0]})
	}
	rules["broadcast_in_dim"] = func(s *statement) ([]*program.Value, error) {
		dims, err := s.list("broadcast_dimensions", "dims")
		if err != nil {
			return nil, err
		}
		return s.put(program.Broadcast{Dims: dims}, s.in...)
	}
	rules["broadcast"] = func(s *statement) ([]*program.Value, error) {
		types, err := s.resultTypes()
		if err != nil || len(s.in) != 1 {
			return nil, s.orElse(err, "%d operands (want 1)", len(s.in))
		}
		var dims []int
		for d := range s.in[0].Shape {
			dims = append(dims, len(types[0].Shape)-len(s.in[0].Shape)+d)
		}
		return s.put(program.Broadcast{Dims: dims}, s.in...)
	}
	rules["transpose"] = func(s *statement) ([]*program.Value, error) {
		perm, err := s.list("permutation", "dims")
		if err != nil {
			return nil, err
		}
		return s.put(program.Transpose{Perm: perm}, s.in...)
	}
	rules["concatenate"] = func(s *statement) ([]*program.Value, error) {
		dim, err := s.list("dimension", "dim")
		if err != nil || len(dim) != 1 {
			return nil, s.orElse(err, "no dimension")
		}
		return s.put(program.Concat{Dim: dim[0]}, s.in...)
	}
	rules["slice"] = (*statement).slice
	rules["dynamic_slice"] = func(s *statement) ([]*program.Value, error) { return s.put(program.DynamicSlice{}, s.in...) }
	rules["dynamic_update_slice"] = func(s *statement) ([]*program.Value, error) { return s.put(program.DynamicUpdate{}, s.in...) }
	rules["optimization_barrier"] = func(s *statement) ([]*program.Value, error) { return s.in, nil }
	rules["tuple"] = rules["optimization_barrier"]
	rules["while"] = (*statement).loop
	rules["case"] = (*statement).branch
	rules["if"] = (*statement).branch
	rules["after_all"] = func(s *statement) ([]*program.Value, error) { return []*program.Value{nil}, nil }
	rules["create_token"] = rules["after_all"]
}

func init() {
	rules["reverse"] = func(s *statement) ([]*program.Value, error) {
		dims, err := s.list("dimensions", "dims")
		if err != nil {
			return nil, err
		}
		return s.put(program.Reverse{Dims: dims}, s.in...)
	}
	rules["pad"] = func(s *statement) ([]*program.Value, error) {
		low, err1 := s.list("edge_padding_low", "low")
		high, err2 := s.list("edge_padding_high", "high")
		inner, err3 := s.list("interior_padding", "interior")
		for _, err := range []error{err1, err2, err3} {
			if err != nil {
				return nil, err
			}
		}
		return s.put(program.Pad{Low: low, High: high, Inner: inner}, s.in...)
	}
	rules["get_tuple_element"] = func(s *statement) ([]*program.Value, error) {
		at, err := s.list("index", "")
		if err != nil || len(at) != 1 || at[0] < 0 || at[0] >= len(s.in) {
			return nil, s.orElse(err, "no element of that number")
		}
		return s.in[at[0] : at[0]+1], nil
	}
}

// orElse is err, or else an error at the operation.
func (s *statement) orElse(err error, msg string, args ...any) error {
	if err != nil {
		return err
	}
	return s.fail(msg, args...)
}

// list is a list of whole numbers: attribute name of the generic form, or that of the pretty form;
// with an empty name it is the first attribute without one.
func (s *statement) list(name, pretty string) ([]int, error) {
	a, ok := s.attrs[name]
	if !ok && pretty != "" {
		a, ok = s.attrs[pretty]
	}
	if !ok && pretty == "" && len(s.loose) > 0 {
		a, ok = s.loose[0], true
	}
	if !ok {
		return nil, s.fail("no attribute %s", name)
	}
	list, fits := a.ints()
	if !fits {
		return nil, s.im.m.fail(a.at, "%s: attribute %s is no list of whole numbers up to 2^31", s.name, name)
	}
	return list, nil
}

// optional is like list, with a default.
func (s *statement) optional(name, pretty string, def []int) ([]int, error) {
	if !s.attrs[name].set && !s.attrs[pretty].set {
		return def, nil
	}
	return s.list(name, pretty)
}

// slice reads the ranges of the pretty form, or three lists.
func (s *statement) slice() ([]*program.Value, error) {
	var op program.Slice
	if s.attrs["start_indices"].set {
		var err error
		if op.Start, err = s.list("start_indices", ""); err != nil {
			return nil, err
		}
		if op.Stride, err = s.list("strides", ""); err != nil {
			return nil, err
		}
		limit, err := s.list("limit_indices", "")
		if err != nil {
			return nil, err
		}
		return s.sliced(op, limit)
	}
	if len(s.loose) == 0 {
		return nil, s.fail("no ranges")
	}
	var limit []int
	for _, r := range s.loose[0].list {
		n, ok := r.ints()
		if !ok || len(r.list) < 2 || len(n) < 2 || len(n) > 3 {
			return nil, s.im.m.fail(s.loose[0].at, "%s: a range is no start:limit or start:limit:stride", s.name)
		}
		op.Start, limit = append(op.Start, n[0]), append(limit, n[1])
		if n = append(n, 1); n[2] < 1 {
			return nil, s.im.m.fail(s.loose[0].at, "%s: a stride of %d (want at least 1)", s.name, n[2])
		}
		op.Stride = append(op.Stride, n[2])
	}
	return s.sliced(op, limit)
}

// sliced checks the limits, which the shape of the result must follow.
func (s *statement) sliced(op program.Slice, limit []int) ([]*program.Value, error) {
	types, err := s.resultTypes()
	if err != nil {
		return nil, err
	}
	want := make([]int, len(limit))
	for d := range limit {
		if d >= len(op.Start) || d >= len(op.Stride) || op.Stride[d] < 1 {
			return nil, s.fail("%d starts, %d limits and %d strides", len(op.Start), len(limit), len(op.Stride))
		}
		want[d] = max(limit[d]-op.Start[d]+op.Stride[d]-1, 0) / op.Stride[d]
	}
	if !sameShape(want, types[0].Shape) {
		return nil, s.fail("the result is said to have shape %v, but it is %v", types[0].Shape, want)
	}
	return s.made(op, s.in, types...)
}

// constant reads an array in the program. Elements of large ones are not read.
func (s *statement) constant() ([]*program.Value, error) {
	a := s.attrs["value"]
	for _, x := range s.loose {
		if x.data != nil {
			a = x
		}
	}
	if a.data == nil {
		if len(s.types) == 1 || len(s.outs) == 1 {
			return s.put(program.Literal{})
		}
		return nil, s.fail("no elements (want dense<...>)")
	}
	t := a.data.typ
	if !t.array {
		if len(s.outs) == 1 {
			t = s.outs[0]
		} else if len(s.types) == 1 {
			t = s.types[0]
		}
	}
	if err := s.im.usable(t, s.at); err != nil {
		return nil, err
	}
	nums := a.data.nums
	lit := program.Literal{}
	switch {
	case nums == nil:
	case t.Int || t.Bool || t.elem != "" && (t.elem[0] == 'i' || t.elem[0] == 'u'):
		list := make([]int64, len(nums))
		for i, x := range nums {
			list[i] = int64(x)
		}
		lit = program.Ints(list...)
	default:
		lit = program.Floats(nums...)
	}
	if n := len(nums); n > 0 && !a.data.splat && int64(n) != t.Elements() {
		return nil, s.im.m.fail(a.at, "%s: %d elements for the shape %v, which has %d", s.name, n, t.Shape, t.Elements())
	}
	return s.made(lit, nil, t.Type)
}
