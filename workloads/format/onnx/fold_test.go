package onnx

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"

	"github.com/causeway-sim/causeway/workloads/format"
)

// at is element index of an array, by the definition of row-major order.
func at(shape []int, data []int64, index []int) int64 {
	p := 0
	for d, i := range index {
		p = p*shape[d] + i
	}
	return data[p]
}

// indices lists every index of a shape in order.
func indices(shape []int) [][]int {
	out := [][]int{{}}
	for _, d := range shape {
		var next [][]int
		for _, head := range out {
			for i := range d {
				next = append(next, append(slices.Clone(head), i))
			}
		}
		out = next
	}
	return out
}

// Dumb twin: what moves of constants compute, against one lookup per element by
// the operator's definition.
func TestONNXFoldedMoves(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(rt, "shape")
		rank := len(shape)
		data := make([]int64, node.Elements(shape))
		for i := range data {
			data[i] = int64(rapid.IntRange(-50, 50).Draw(rt, "x"))
		}
		m := newONNX(13)
		m.input("unused", 1)
		add := func(name string, shape []int, data []int64) {
			pb := &onnxpb.TensorProto{Name: name, DataType: int32(onnxpb.TensorProto_INT64), Int64Data: data}
			for _, d := range shape {
				pb.Dims = append(pb.Dims, int64(d))
			}
			m.Graph.Initializer = append(m.Graph.Initializer, pb)
		}
		add("x", shape, data)
		axis := rapid.IntRange(0, rank-1).Draw(rt, "axis")
		var from func(i []int) []int // index of the source of element i
		source := data
		var want []int
		switch op := rapid.SampledFrom([]string{"Transpose", "Slice", "Gather", "Tile", "Expand", "Concat", "Split"}).Draw(rt, "op"); op {
		case "Transpose":
			perm := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
				for i := range rank {
					if !yield(i) {
						return
					}
				}
			})).Draw(rt, "perm")
			wide := make([]int64, rank)
			for i, p := range perm {
				wide[i], want = int64(p), append(want, shape[p])
			}
			m.node(op, []string{"x"}, []string{"y"}, aInts("perm", wide...))
			from = func(i []int) []int {
				j := make([]int, rank)
				for d, p := range perm {
					j[p] = i[d]
				}
				return j
			}
		case "Slice":
			start := rapid.IntRange(-6, 6).Draw(rt, "start")
			end := rapid.IntRange(-6, 6).Draw(rt, "end")
			step := rapid.SampledFrom([]int{1, 2, 3, -1, -2}).Draw(rt, "step")
			m.node(op, []string{"x", m.list("s", int64(start)), m.list("e", int64(end)), m.list("a", int64(axis)), m.list("t", int64(step))}, []string{"y"})
			picked := sliceOf(shape[axis], start, end, step)
			want = slices.Clone(shape)
			want[axis] = len(picked)
			from = func(i []int) []int { j := slices.Clone(i); j[axis] = picked[i[axis]]; return j }
		case "Gather":
			index := rapid.SliceOfN(rapid.IntRange(-shape[axis], shape[axis]-1), 1, 3).Draw(rt, "index")
			wide := make([]int64, len(index))
			for i, v := range index {
				wide[i] = int64(v)
			}
			m.node(op, []string{"x", m.list("i", wide...)}, []string{"y"}, aInt("axis", int64(axis)))
			want = slices.Clone(shape)
			want[axis] = len(index)
			from = func(i []int) []int {
				j := slices.Clone(i)
				j[axis] = (index[i[axis]] + shape[axis]) % shape[axis]
				return j
			}
		case "Tile":
			var repeats []int64
			for d := range rank {
				r := rapid.IntRange(1, 3).Draw(rt, "repeat")
				repeats, want = append(repeats, int64(r)), append(want, r*shape[d])
			}
			m.node(op, []string{"x", m.list("r", repeats...)}, []string{"y"})
			from = func(i []int) []int {
				j := slices.Clone(i)
				for d := range j {
					j[d] %= shape[d]
				}
				return j
			}
		case "Expand":
			front := rapid.IntRange(1, 3).Draw(rt, "front")
			target := []int64{int64(front)}
			want = []int{front}
			for _, d := range shape {
				if d == 1 {
					d = rapid.IntRange(1, 3).Draw(rt, "d")
				}
				target, want = append(target, int64(d)), append(want, d)
			}
			m.node(op, []string{"x", m.list("s", target...)}, []string{"y"})
			from = func(i []int) []int {
				j := slices.Clone(i[1:])
				for d := range j {
					j[d] %= shape[d]
				}
				return j
			}
		case "Concat":
			m.node(op, []string{"x", "x"}, []string{"y"}, aInt("axis", int64(axis)))
			want = slices.Clone(shape)
			want[axis] *= 2
			from = func(i []int) []int { j := slices.Clone(i); j[axis] %= shape[axis]; return j }
		case "Split":
			cut := rapid.IntRange(0, shape[axis]).Draw(rt, "cut")
			m.node(op, []string{"x", m.list("s", int64(cut), int64(shape[axis]-cut))}, []string{"z", "y"}, aInt("axis", int64(axis)))
			want = slices.Clone(shape)
			want[axis] -= cut
			from = func(i []int) []int { j := slices.Clone(i); j[axis] += cut; return j }
		}
		m.node("Relu", []string{"unused"}, []string{"work"})
		b, err := proto.Marshal(m.ModelProto)
		require.NoError(rt, err)
		pb, err := parseONNX(format.Bytes("m", b))
		require.NoError(rt, err)
		_, s, err := node.ImportValues("m", pb, format.Options{}, rules)
		require.NoError(rt, err)
		got := s.Find("y")
		require.Equal(rt, want, got.Shape)
		values := []int64{}
		for _, i := range indices(want) {
			values = append(values, at(shape, source, from(i)))
		}
		require.NotNil(rt, got.Data)
		require.Equal(rt, values, append([]int64{}, got.Data.Ints...))
	})
}

// sliceOf lists the places that a slice of n elements picks. Reference: ONNX
// Slice-13, which clamps starts of negative steps to 0 where Python would pick
// nothing.
func sliceOf(n, start, end, step int) []int {
	fix := func(i, lo, hi int) int {
		if i < 0 {
			i += n
		}
		return min(max(i, lo), hi)
	}
	out := []int{}
	if step > 0 {
		for i := fix(start, 0, n); i < fix(end, 0, n); i += step {
			out = append(out, i)
		}
		return out
	}
	for i := fix(start, 0, n-1); i > fix(end, -1, n-1); i += step {
		out = append(out, i)
	}
	return out
}

// Values of folded arithmetic; results by hand from the operators'
// documentation: division truncates, Mod has the sign of the divisor.
func TestONNXFoldedValues(t *testing.T) {
	for _, c := range []struct {
		op    string
		a, b  []int64
		attrs []*onnxpb.AttributeProto
		want  []int64
	}{
		{"Add", []int64{1, 2}, []int64{10}, nil, []int64{11, 12}},
		{"Sub", []int64{1, 2}, []int64{10}, nil, []int64{-9, -8}},
		{"Mul", []int64{3, -2}, []int64{4, 5}, nil, []int64{12, -10}},
		{"Div", []int64{7, -7}, []int64{2}, nil, []int64{3, -3}},
		{"Mod", []int64{7, -7, 7, -7, 6}, []int64{3, 3, -3, -3, 3}, nil, []int64{1, 2, -2, -1, 0}},
		{"Max", []int64{7, -7}, []int64{2}, nil, []int64{7, 2}},
		{"Min", []int64{7, -7}, []int64{2}, nil, []int64{2, -7}},
		{"Neg", []int64{7, -7}, nil, nil, []int64{-7, 7}},
		{"Abs", []int64{7, -7}, nil, nil, []int64{7, 7}},
		{"Not", []int64{1, 0}, nil, nil, []int64{0, 1}},
		{"And", []int64{1, 1, 0}, []int64{1, 0, 0}, nil, []int64{1, 0, 0}},
		{"Or", []int64{1, 1, 0}, []int64{1, 0, 0}, nil, []int64{1, 1, 0}},
		{"Xor", []int64{1, 1, 0}, []int64{1, 0, 0}, nil, []int64{0, 1, 0}},
		{"Equal", []int64{1, 2, 3}, []int64{2}, nil, []int64{0, 1, 0}},
		{"Less", []int64{1, 2, 3}, []int64{2}, nil, []int64{1, 0, 0}},
		{"LessOrEqual", []int64{1, 2, 3}, []int64{2}, nil, []int64{1, 1, 0}},
		{"Greater", []int64{1, 2, 3}, []int64{2}, nil, []int64{0, 0, 1}},
		{"GreaterOrEqual", []int64{1, 2, 3}, []int64{2}, nil, []int64{0, 1, 1}},
		{"ReduceSum", []int64{2, 3, 4}, nil, nil, []int64{9}},
		{"ReduceProd", []int64{2, 3, 4}, nil, nil, []int64{24}},
		{"ReduceMax", []int64{2, 4, 3}, nil, nil, []int64{4}},
		{"ReduceMin", []int64{3, 2, 4}, nil, nil, []int64{2}},
		{"NonZero", []int64{3, 0, 4}, nil, nil, []int64{0, 2}},
		{"Shape", []int64{3, 0, 4}, nil, nil, []int64{3}},
		{"Size", []int64{3, 0, 4}, nil, nil, []int64{3}},
		{"Cast", []int64{3, 0, -4}, nil, []*onnxpb.AttributeProto{aInt("to", int64(onnxpb.TensorProto_INT32))}, []int64{3, 0, -4}},
	} {
		m := newONNX(13)
		m.input("unused", 1)
		in := []string{m.list("a", c.a...)}
		if c.b != nil {
			in = append(in, m.list("b", c.b...))
		}
		m.node(c.op, in, []string{"y"}, c.attrs...)
		m.node("Relu", []string{"unused"}, []string{"work"})
		pb, err := parseONNX(format.Bytes("m", m.bytes(t)))
		require.NoError(t, err)
		_, s, err := node.ImportValues("m", pb, format.Options{}, rules)
		require.NoError(t, err, c.op)
		got, ok := s.Find("y").Ints()
		require.True(t, ok, c.op)
		require.Equal(t, c.want, got, c.op)
	}
}
