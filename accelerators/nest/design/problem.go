package design

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// convolution are the dimensions of a problem without tensors.
var convolution = []string{"N", "G", "M", "C", "P", "Q", "R", "S"}

// Convolution is the problem of a convolution: sizes in the order N G M C P Q R S, one
// stride and dilation along each axis.
func Convolution(sizes [8]int64, stride, dilation [2]int64) nest.Problem {
	p := nest.Problem{Name: "convolution"}
	for i, name := range convolution {
		p.Dims = append(p.Dims, nest.Dim{Name: name, Size: sizes[i]})
	}
	one := func(d int) []nest.Term { return []nest.Term{{Dim: d, Coef: 1}} }
	p.Tensors = []nest.Tensor{
		{Name: "Weights", Ranks: [][]nest.Term{one(1), one(2), one(3), one(6), one(7)}},
		{Name: "Inputs", Ranks: [][]nest.Term{one(0), one(1), one(3),
			{{Dim: 4, Coef: stride[0]}, {Dim: 6, Coef: dilation[0]}}, {{Dim: 5, Coef: stride[1]}, {Dim: 7, Coef: dilation[1]}}}},
		{Name: "Outputs", Ranks: [][]nest.Term{one(0), one(1), one(2), one(4), one(5)}, Written: true},
	}
	return p
}

// problem reads dimensions and tensors.
func (r *reader) problem(v configs.Value, s *Problem) {
	if len(s.Dims) == 0 {
		r.errs.Add(v.Errorf(nil, "has no dims (want sizes of dimensions, such as dims: {N: 256, M: 256, C: 128})"))
		return
	}
	if len(s.Tensors) == 0 {
		r.convolution(v, s)
	} else {
		r.tensors(v, s)
	}
	if s.Name != "" {
		r.in.Problem.Name = s.Name
	}
	for _, t := range r.in.Problem.Tensors {
		r.tensor = append(r.tensor, t.Name)
	}
	for _, d := range r.in.Problem.Dims {
		r.known = append(r.known, d.Name)
	}
	for _, name := range convolution {
		if !slices.Contains(r.known, name) {
			r.known = append(r.known, name) // of machines that serve convolutions too
		}
	}
	sparse := false
	for _, name := range sorted(s.Density) {
		at := v.Get("density")
		if t := slices.Index(r.tensor, name); t >= 0 {
			r.in.Problem.Tensors[t].Density = nest.Density(s.Density[name])
			sparse = true
		} else {
			r.errs.Add(at.UnknownKey(name, r.tensor))
		}
	}
	if sparse {
		r.in.Sparse = &nest.Sparse{}
	}
}

func (r *reader) convolution(v configs.Value, s *Problem) {
	sizes := [8]int64{1, 1, 1, 1, 1, 1, 1, 1}
	for _, name := range sorted(s.Dims) {
		i := slices.Index(convolution, name)
		if i < 0 {
			r.errs.Add(v.Get("dims").UnknownKey(name, convolution))
			continue
		}
		if sizes[i] = s.Dims[name]; sizes[i] < 1 || sizes[i] >= nest.MaxCount {
			r.errs.Add(v.Get("dims").Get(name).Errorf(nil, "is %d (want 1 to 2^53)", sizes[i]))
			return
		}
	}
	stride, dilation := max(1, s.Stride), max(1, s.Dilation)
	r.in.Problem = Convolution(sizes, [2]int64{stride, stride}, [2]int64{dilation, dilation})
}

func (r *reader) tensors(v configs.Value, s *Problem) {
	p := &r.in.Problem
	names := sorted(s.Dims)
	for _, name := range names {
		if name == "" || strings.ContainsAny(name, " +*=,") {
			r.errs.Add(v.Get("dims").Get(name).Errorf(nil, "%q is no name of a dimension (it stands in sums and products)", name))
		}
		p.Dims = append(p.Dims, nest.Dim{Name: name, Size: s.Dims[name]})
	}
	for _, k := range []string{"stride", "dilation"} {
		if x := v.Get(k); x.Exists() {
			r.errs.Add(x.Errorf(nil, "is of a convolution, and tensors are given: say it in index"))
		}
	}
	for i := range s.Tensors {
		x, at := &s.Tensors[i], item(v.Get("tensors"), i)
		if slices.ContainsFunc(p.Tensors, func(t nest.Tensor) bool { return t.Name == x.Name }) {
			r.errs.Add(at.Errorf(nil, "is a second tensor of this name"))
		}
		t := nest.Tensor{Name: x.Name, Written: x.Written}
		for k, text := range x.Index {
			t.Ranks = append(t.Ranks, r.index(item(at.Get("index"), k), text, names))
		}
		p.Tensors = append(p.Tensors, t)
	}
}

// index reads a sum such as 2*P + R.
func (r *reader) index(v configs.Value, text string, dims []string) (out []nest.Term) {
	for _, part := range strings.Split(text, "+") {
		coef, name, product := strings.Cut(strings.TrimSpace(part), "*")
		c := int64(1)
		if product {
			var err error
			if c, err = strconv.ParseInt(strings.TrimSpace(coef), 10, 40); err != nil || c < 1 {
				r.errs.Add(v.Errorf(nil, "%q: %q is no coefficient (want a whole number of 1 or more before the dimension: 2*P + R)", text, coef))
				continue
			}
		} else {
			name = coef
		}
		d, ok := r.pick(v, "dimension", strings.TrimSpace(name), dims)
		if !ok {
			continue
		}
		if i := slices.IndexFunc(out, func(x nest.Term) bool { return x.Dim == d }); i >= 0 {
			out[i].Coef += c
			continue
		}
		out = append(out, nest.Term{Dim: d, Coef: c})
	}
	return out
}

func sorted[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
