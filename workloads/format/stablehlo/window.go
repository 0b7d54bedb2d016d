package stablehlo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/program"
)

func init() {
	rules["dot_general"] = (*statement).dotGeneral
	rules["dot"] = func(s *statement) ([]*program.Value, error) {
		if err := s.arity(2); err != nil {
			return nil, err
		}
		op := program.Dot{LC: []int{len(s.in[0].Shape) - 1}, RC: []int{0}}
		if len(s.in[0].Shape) == 0 || len(s.in[1].Shape) == 0 {
			return nil, s.fail("operands of shapes %v and %v (want at least one dimension)", s.in[0].Shape, s.in[1].Shape)
		}
		return s.put(op, s.in...)
	}
	rules["convolution"] = (*statement).convolution
	rules["reduce_window"] = (*statement).reduceWindow
	rules["reduce"] = (*statement).reduce
}

// pair is two lists with an x between them; the second is that of operand 1.
func (a attr) pair() (l, r []int, ok bool) {
	l, ok = a.dict["0"].ints()
	if !ok {
		return nil, nil, false
	}
	r, ok = a.dict["1"].ints()
	return l, r, ok
}

func (s *statement) dotGeneral() ([]*program.Value, error) {
	var op program.Dot
	ok := true
	if n, generic := s.attrs["dot_dimension_numbers"]; generic {
		for key, to := range map[string]*[]int{"lhs_batching_dimensions": &op.LB, "rhs_batching_dimensions": &op.RB, "lhs_contracting_dimensions": &op.LC, "rhs_contracting_dimensions": &op.RC} {
			if a, there := n.dict[key]; there {
				var fits bool
				*to, fits = a.ints()
				ok = ok && fits
			}
		}
		if ok = ok && n.dict != nil; !ok {
			return nil, s.im.m.fail(n.at, "%s: dimension numbers %s (want #stablehlo.dot<...> with lists of dimensions)", s.name, n.text)
		}
		return s.put(op, s.in...)
	}
	if a, there := s.attrs["batching_dims"]; there {
		if op.LB, op.RB, ok = a.pair(); !ok {
			return nil, s.im.m.fail(a.at, "%s: batching_dims (want [...] x [...])", s.name)
		}
	}
	a, there := s.attrs["contracting_dims"]
	if op.LC, op.RC, ok = a.pair(); there && !ok {
		return nil, s.im.m.fail(a.at, "%s: contracting_dims (want [...] x [...])", s.name)
	}
	return s.put(op, s.in...)
}

// layout reads [b, f, 0, 1]: what stands at each dimension. batch and feature are the two letters.
func layout(list []string, batch, feature string) (l program.Layout, ok bool) {
	l = program.Layout{Batch: -1, Feature: -1, Space: make([]int, max(len(list)-2, 0))}
	seen := 0
	for at, w := range list {
		switch w = strings.TrimSpace(w); w {
		case batch:
			l.Batch = at
		case feature:
			l.Feature = at
		default:
			n, err := strconv.Atoi(w)
			if err != nil || n < 0 || n >= len(l.Space) {
				return l, false
			}
			l.Space[n] = at
			seen++
		}
	}
	return l, l.Batch >= 0 && l.Feature >= 0 && seen == len(l.Space)
}

// words are the entries of a list of words and numbers.
func (a attr) words() (out []string) {
	for _, x := range a.list {
		out = append(out, x.text)
	}
	return out
}

// layouts reads the dimension numbers of a convolution: in brackets, [b, f, 0, 1]x[o, i, 0,
// 1]->[b, f, 0, 1], or by names, input_batch_dimension = 0 and so on.
func (s *statement) layouts() (in, kernel, out program.Layout, err error) {
	a, ok := s.attrs["dim_numbers"]
	if !ok {
		a, ok = s.attrs["dimension_numbers"]
	}
	if !ok {
		return in, kernel, out, s.fail("no dimension numbers")
	}
	bad := func() error {
		return s.im.m.fail(a.at, "%s: dimension numbers %s (want [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], with each dimension once)", s.name, a.text)
	}
	lists := [][]string{a.dict["0"].words(), a.dict["1"].words(), a.dict["2"].words()}
	if a.text != "" {
		body := strings.TrimSuffix(a.text[strings.IndexByte(a.text, '<')+1:], ">")
		if strings.HasPrefix(strings.TrimSpace(body), "raw") || strings.Contains(body, "input_batch_dimension") {
			if in, kernel, out, ok = namedLayouts(strings.TrimPrefix(strings.TrimSpace(body), "raw")); !ok {
				return in, kernel, out, bad()
			}
			return in, kernel, out, nil
		}
		x, rest, ok1 := strings.Cut(body, "]x[")
		y, z, ok2 := strings.Cut(rest, "]->[")
		if !ok1 || !ok2 {
			return in, kernel, out, bad()
		}
		lists = [][]string{strings.Split(strings.Trim(x, "[] "), ","), strings.Split(y, ","), strings.Split(strings.Trim(z, "[] "), ",")}
	}
	var ok1, ok2, ok3 bool
	in, ok1 = layout(lists[0], "b", "f")
	kernel, ok2 = layout(lists[1], "o", "i")
	out, ok3 = layout(lists[2], "b", "f")
	if !ok1 || !ok2 || !ok3 {
		return in, kernel, out, bad()
	}
	return in, kernel, out, nil
}

// namedLayouts reads input_batch_dimension = 0, kernel_spatial_dimensions = [0, 1], ...
func namedLayouts(body string) (in, kernel, out program.Layout, ok bool) {
	m := module{scanner: scanner{b: []byte("{" + body + "}")}}
	m.at = 1
	d, err := m.dictionary()
	if err != nil {
		return in, kernel, out, false
	}
	ok = true
	get := func(key string) []int {
		list, fits := d[key].ints()
		ok = ok && fits && len(list) > 0
		return append(list, 0)
	}
	for _, x := range []struct {
		to                   *program.Layout
		name, batch, feature string
	}{{&in, "input", "batch", "feature"}, {&kernel, "kernel", "output_feature", "input_feature"}, {&out, "output", "batch", "feature"}} {
		x.to.Batch = get(x.name + "_" + x.batch + "_dimension")[0]
		x.to.Feature = get(x.name + "_" + x.feature + "_dimension")[0]
		space := get(x.name + "_spatial_dimensions")
		x.to.Space = space[:len(space)-1]
	}
	return in, kernel, out, ok
}

// windows reads an attribute of a window: of the dictionary window of the pretty form, or of the
// operation.
func (s *statement) windows(pretty, generic string, def []int) ([]int, error) {
	a := s.attrs[generic]
	if w, ok := s.attrs["window"]; ok && w.dict[pretty].set {
		a = w.dict[pretty]
	}
	if !a.set {
		return def, nil
	}
	list, ok := a.ints()
	if !ok {
		return nil, s.im.m.fail(a.at, "%s: %s is no list of whole numbers", s.name, generic)
	}
	return list, nil
}

// sides divides pairs of padding into those before and those after.
func sides(list []int) (low, high []int) {
	for n := 0; n+1 < len(list); n += 2 {
		low, high = append(low, list[n]), append(high, list[n+1])
	}
	return low, high
}

func (s *statement) convolution() ([]*program.Value, error) {
	op := program.Conv{Groups: 1, BatchGroups: 1}
	var err error
	if op.In, op.Kernel, op.Out, err = s.layouts(); err != nil {
		return nil, err
	}
	ones := slices.Repeat([]int{1}, len(op.In.Space))
	pads := slices.Repeat([]int{0}, 2*len(ones))
	for _, w := range []struct {
		to              *[]int
		pretty, generic string
		def             []int
	}{{&op.Stride, "stride", "window_strides", ones}, {&pads, "pad", "padding", pads}, {&op.Spread, "lhs_dilate", "lhs_dilation", ones}, {&op.Dilation, "rhs_dilate", "rhs_dilation", ones}} {
		if *w.to, err = s.windows(w.pretty, w.generic, w.def); err != nil {
			return nil, err
		}
	}
	if len(pads) != 2*len(ones) {
		return nil, s.fail("%d paddings (want %d)", len(pads), 2*len(ones))
	}
	op.Low, op.High = sides(pads)
	for key, to := range map[string]*int{"feature_group_count": &op.Groups, "batch_group_count": &op.BatchGroups} {
		list, err := s.optional(key, key, []int{1})
		if err != nil || len(list) != 1 {
			return nil, s.orElse(err, "no single %s", key)
		}
		*to = list[0]
	}
	return s.put(op, s.in...)
}

// folds is the function that a body folds two numbers with: one operation on its arguments, or
// fold.
func (s *statement) folds() string {
	for _, w := range s.words {
		if _, name, ok := strings.Cut(w, "."); ok {
			if fn := maps[name]; fn != "" {
				return fn
			}
		}
	}
	fn := ""
	for _, r := range s.regions {
		for _, o := range r.ops {
			_, name, _ := strings.Cut(o.name, ".")
			switch x := maps[name]; {
			case name == "return":
			case x == "" || fn != "" && fn != x || len(o.args) != 2:
				return "fold"
			default:
				fn = x
			}
		}
	}
	return fn
}

// foldable are the functions of reductions that have a name.
var foldable = []string{"add", "max", "min", "mul", "and", "or"}

func foldName(fn string) string {
	if slices.Contains(foldable, fn) {
		return fn
	}
	return "fold"
}

func (s *statement) reduce() ([]*program.Value, error) {
	dims, err := s.list("dimensions", "dimensions")
	if err != nil {
		return nil, err
	}
	n := len(s.in) / 2
	if n == 0 || len(s.in)%2 != 0 {
		return nil, s.fail("%d operands (want arrays and as many first values)", len(s.in))
	}
	in := s.in[:n]
	if slices.Contains(s.words, "init") { // %x init: %c, %y init: %d
		in = nil
		for k := 0; k < len(s.in); k += 2 {
			in = append(in, s.in[k])
		}
	}
	return s.put(program.Reduce{Fn: foldName(s.folds()), Dims: dims}, in...)
}

func (s *statement) reduceWindow() ([]*program.Value, error) {
	if len(s.in) != 2 {
		return nil, s.fail("%d operands (want an array and a first value; several arrays have no rule)", len(s.in))
	}
	rank := len(s.in[0].Shape)
	ones := slices.Repeat([]int{1}, rank)
	pads := slices.Repeat([]int{0}, 2*rank)
	op := program.Window{Fn: foldName(s.folds())}
	var err error
	for _, w := range []struct {
		to   *[]int
		name string
		def  []int
	}{{&op.Size, "window_dimensions", nil}, {&op.Stride, "window_strides", ones}, {&pads, "padding", pads}, {&op.Spread, "base_dilations", ones}, {&op.Dilation, "window_dilations", ones}} {
		if *w.to, err = s.optional(w.name, w.name, w.def); err != nil {
			return nil, err
		}
	}
	if len(pads) != 2*rank {
		return nil, s.fail("%d paddings (want %d)", len(pads), 2*rank)
	}
	op.Low, op.High = sides(pads)
	return s.put(op, s.in[0])
}
