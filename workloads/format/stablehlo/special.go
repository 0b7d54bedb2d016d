package stablehlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/program"
)

func init() {
	rules["gather"] = (*statement).gather
	rules["dynamic_gather"] = rules["gather"]
	rules["torch_index_select"] = func(s *statement) ([]*program.Value, error) {
		dim, err := s.list("dim", "dim")
		if err != nil {
			return nil, err
		}
		return s.put(program.Gather{Whole: len(dim) == 1 && dim[0] == 0}, s.in...)
	}
	rules["scatter"] = func(s *statement) ([]*program.Value, error) {
		if err := s.arity(3); err != nil {
			return nil, err
		}
		return s.put(program.Scatter{Fn: s.folds()}, s.in...)
	}
	rules["sort"] = func(s *statement) ([]*program.Value, error) {
		dim, err := s.optional("dimension", "dimension", []int{len(s.in[0].Shape) - 1})
		if err != nil || len(dim) != 1 || len(s.in) == 0 {
			return nil, s.orElse(err, "no operand or no dimension")
		}
		return s.put(program.Sort{Dim: dim[0]}, s.in...)
	}
	rules["top_k"] = func(s *statement) ([]*program.Value, error) {
		if err := s.arity(1); err != nil {
			return nil, err
		}
		return s.put(program.Sort{Dim: len(s.in[0].Shape) - 1}, s.in...)
	}
	rules["topk"] = rules["top_k"]
	rules["rng"] = func(s *statement) ([]*program.Value, error) { return s.put(program.Random{}) }
	rules["rng_uniform"] = rules["rng"]
	rules["rng_bit_generator"] = func(s *statement) ([]*program.Value, error) { return s.put(program.Random{}, s.in...) }
	rules["batch_norm_inference"] = func(s *statement) ([]*program.Value, error) {
		dim, err := s.list("feature_index", "")
		if err != nil || len(dim) != 1 || len(s.in) != 5 {
			return nil, s.orElse(err, "%d operands (want 5) and one feature_index", len(s.in))
		}
		return s.put(program.Norm{Fn: "batch", Channel: dim[0]}, s.in[:3]...)
	}
	rules["custom_call"] = (*statement).custom
	rules["composite"] = (*statement).composite
	for _, name := range []string{"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute", "collective_broadcast", "cross-replica-sum"} {
		rules[name] = func(s *statement) ([]*program.Value, error) {
			s.im.p.Note(fmt.Sprintf("The file has collectives between devices (%s); each is counted as a copy in the memory of one device, and no network carries it.", s.name))
			return s.put(program.Copy{Fn: name}, s.in...)
		}
	}
	for _, name := range []string{"uniform_quantize", "uniform_dequantize"} {
		rules[name] = func(s *statement) ([]*program.Value, error) { return s.put(program.Map{Fn: "cast"}, s.in...) }
	}
	rules["select_and_scatter"] = func(s *statement) ([]*program.Value, error) {
		if err := s.arity(3); err != nil {
			return nil, err
		}
		return s.put(program.Copy{Fn: "unpool"}, s.in[0])
	}
	rules["bitcast_convert"] = func(s *statement) ([]*program.Value, error) { return s.put(program.Copy{Fn: "bitcast"}, s.in...) }
	rules["partition_id"] = func(s *statement) ([]*program.Value, error) { return s.put(program.Ints(0)) }
	rules["replica_id"] = rules["partition_id"]
}

// gather finds out whether the slices are whole rows of a table.
func (s *statement) gather() ([]*program.Value, error) {
	if len(s.in) < 2 {
		return nil, s.fail("%d operands (want an array and indices)", len(s.in))
	}
	whole := true
	n := s.attrs["dimension_numbers"].dict
	start, ok := n["start_index_map"].ints()
	whole = ok && len(start) == 1 && start[0] == 0
	if gone, ok := n["collapsed_slice_dims"].ints(); !ok || len(gone) != 1 || gone[0] != 0 {
		whole = false
	}
	sizes, ok := s.attrs["slice_sizes"].ints()
	for d, v := range s.in[0].Shape {
		whole = whole && ok && d < len(sizes) && sizes[d] == map[bool]int{true: 1, false: v}[d == 0]
	}
	if n["operand_batching_dims"].set && len(n["operand_batching_dims"].list) > 0 {
		whole = false
	}
	return s.put(program.Gather{Whole: whole}, s.in[:2]...)
}

// calls of other libraries that hand on their operand: marks for the compiler.
var marks = []string{"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "xla.sdy.FuncResultSharding",
	"xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape", "LayoutConstraint", "X64Combine", "MoveToDevice", "MoveToHost", "tt.mark_argument", "tenstorrent.mark", "PinToDevice"}

// A library is a rule for calls whose names contain one of some words, in lower case.
type library struct {
	words    []string
	operands int // at most; 0: any
	rule     func(s *statement) ([]*program.Value, error)
}

var libraries = []library{
	{[]string{"topk", "partialreduce"}, 0, func(s *statement) ([]*program.Value, error) {
		return s.put(program.Sort{Dim: max(len(s.in[0].Shape)-1, 0)}, s.in[:1]...)
	}},
	{[]string{"erf_inv"}, 1, func(s *statement) ([]*program.Value, error) { return s.mapped("erf_inv") }},
	{[]string{"erf"}, 1, func(s *statement) ([]*program.Value, error) { return s.mapped("erf") }},
	{[]string{"gelu"}, 1, func(s *statement) ([]*program.Value, error) { return s.named("gelu") }},
	{[]string{"fmha", "attention", "sdpa"}, 0, (*statement).fused},
	{[]string{"softmax"}, 1, func(s *statement) ([]*program.Value, error) {
		return s.put(program.Softmax{Dim: len(s.in[0].Shape) - 1}, s.in...)
	}},
	{[]string{"rms_norm", "rmsnorm"}, 2, func(s *statement) ([]*program.Value, error) {
		return s.put(program.Norm{Fn: "rms", Dims: []int{len(s.in[0].Shape) - 1}}, s.in...)
	}},
	{[]string{"layer_norm", "layernorm"}, 3, func(s *statement) ([]*program.Value, error) {
		return s.put(program.Norm{Fn: "layer", Dims: []int{len(s.in[0].Shape) - 1}}, s.in...)
	}},
	{[]string{"matmul", "gemm"}, 0, (*statement).product},
	{[]string{"threefry"}, 0, func(s *statement) ([]*program.Value, error) { return s.put(program.Random{}, s.in...) }},
}

// custom reads a call of another library by its name.
func (s *statement) custom() ([]*program.Value, error) {
	name := s.symbol("call_target_name")
	if slices.Contains(marks, name) {
		if strings.Contains(name, "hard") {
			s.im.p.Note("The file has sharding annotations; the graph is that of one device with the shapes of the file.")
		}
		return s.in, nil
	}
	var all []string
	for _, l := range libraries {
		all = append(all, l.words...)
		if len(s.in) == 0 || l.operands > 0 && len(s.in) > l.operands {
			continue
		}
		if slices.ContainsFunc(l.words, func(w string) bool { return strings.Contains(strings.ToLower(name), w) }) {
			return l.rule(s)
		}
	}
	e := s.im.m.fail(s.at, "the custom call %q of %d operands has no rule; marks of shardings and calls whose names contain these have one", name, len(s.in))
	e.Want = all
	return nil, e
}

// named adds an elementwise function of one operand.
func (s *statement) named(fn string) ([]*program.Value, error) {
	return s.put(program.Map{Fn: fn}, s.in...)
}

// fused is an attention of queries, keys and values of four dimensions, batch, then tokens and heads
// in either order, as the result has them. More results (a workspace, statistics) are not read.
func (s *statement) fused() ([]*program.Value, error) {
	types, err := s.resultTypes()
	if err != nil {
		return nil, err
	}
	if len(s.in) < 3 || len(s.in[0].Shape) != 4 {
		return nil, s.fail("an attention of %d operands (want queries, keys and values of four dimensions)", len(s.in))
	}
	op := program.Attention{Tokens: 2}
	if len(s.in[1].Shape) == 4 && s.in[1].Shape[1] != s.in[0].Shape[1] && s.in[1].Shape[2] <= s.in[0].Shape[2] {
		op.Tokens = 1
	}
	config := s.attrs["backend_config"]
	op.Causal = strings.Contains(config.text, "CAUSAL") || strings.Contains(config.text, "causal\": true") || strings.Contains(s.attrs["composite_attributes"].dict["is_causal"].text, "true") || number(s.attrs["composite_attributes"].dict["is_causal"]) == 1
	return s.made(op, s.in[:3], types[0])
}

func number(a attr) float64 {
	if a.num == nil {
		return 0
	}
	return *a.num
}

// product is a matrix product by the last dimension of operand 0 and the one of operand 1 that fits.
func (s *statement) product() ([]*program.Value, error) {
	if len(s.in) < 2 || len(s.in[0].Shape) < 2 || len(s.in[1].Shape) < 2 {
		return nil, s.fail("a product of %d operands (want two of at least two dimensions)", len(s.in))
	}
	types, err := s.resultTypes()
	if err != nil {
		return nil, err
	}
	a, b := s.in[0], s.in[1]
	last := len(a.Shape) - 1
	for _, d := range []int{len(b.Shape) - 2, len(b.Shape) - 1} {
		op := program.Dot{LC: []int{last}, RC: []int{d}}
		if len(b.Shape) == len(a.Shape) {
			for k := range last - 1 {
				op.LB, op.RB = append(op.LB, k), append(op.RB, k)
			}
		}
		if a.Shape[last] == b.Shape[d] {
			if out, err := s.made(op, s.in[:2], types[0]); err == nil {
				return out, nil
			}
		}
	}
	return nil, s.fail("operands of shapes %v and %v and a result of shape %v are no product by the last dimension of the first", a.Shape, b.Shape, types[0].Shape)
}

// composite is an operation with a decomposition, which is added in its place. An attention is known
// by its name.
func (s *statement) composite() ([]*program.Value, error) {
	name := s.attrs["name"].text
	if name == "" && len(s.loose) > 0 {
		name = s.loose[0].text
	}
	f := s.attrs["decomposition"].text
	if s.im.m.funcs[f] != nil {
		return s.call(f)
	}
	if low := strings.ToLower(name); strings.Contains(low, "attention") || strings.Contains(low, "sdpa") {
		return s.fused()
	}
	return nil, s.fail("the composite %q has no decomposition @%s in the file", name, f)
}

// shardy reads the operations of the dialect sdy: annotations, and bodies for each device.
func (s *statement) shardy(name string) ([]*program.Value, error) {
	switch name {
	case "sharding_constraint", "reshard", "propagation_barrier", "sharding_group", "all_slice", "data_flow_edge":
		s.im.p.Note("The file has sharding annotations; the graph is that of one device with the shapes of the file.")
		return s.in, nil
	case "manual_computation":
		if len(s.regions) != 1 {
			return nil, s.fail("%d bodies (want 1)", len(s.regions))
		}
		s.im.p.Note("The file has a body for each device (sdy.manual_computation); the graph is that of one device, and arguments have the shapes of its share.")
		return s.manual()
	}
	return nil, s.unknown()
}

// manual adds a body with the shares of the operands.
func (s *statement) manual() ([]*program.Value, error) {
	r := s.regions[0]
	if len(r.params) != len(s.in) {
		return nil, s.fail("%d arguments (want %d)", len(s.in), len(r.params))
	}
	inner := &scope{values: map[string][]*program.Value{}, outer: s.scope, prefix: s.label + "."}
	for n, p := range r.params {
		v := s.in[n]
		if !sameShape(v.Shape, p.typ.Shape) {
			if !s.im.p.Share(v, p.typ.Shape) {
				return nil, s.im.m.fail(p.at, "a share of shape %v of %s, which is no argument of the program", p.typ.Shape, v.Name)
			}
		}
		inner.values[p.name] = []*program.Value{v}
	}
	return s.im.body(r, inner)
}
