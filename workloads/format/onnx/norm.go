package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Normalisations, softmax and reductions.
func init() {
	onnxOps["BatchNormalization"] = onnxOp{5, 5, onnxBatchNorm}
	onnxOps["InstanceNormalization"] = onnxOp{3, 3, func(n *onnxNode) error {
		x := n.In[0]
		if x.Rank() < 3 {
			return n.Fail("the input has shape %v (want N, C and spatial dimensions)", x.Shape)
		}
		rows := int64(x.Shape[0]) * int64(x.Shape[1])
		return n.norm("group", x, rows, n.In[1], n.In[2])
	}}
	onnxOps["GroupNormalization"] = onnxOp{3, 3, func(n *onnxNode) error {
		x, groups := n.In[0], n.Int("num_groups", 0)
		if x.Rank() < 2 || groups < 1 || int64(x.Shape[1])%groups != 0 {
			return n.Fail("%d groups of shape %v (want a divisor of the channels)", groups, x.Shape)
		}
		return n.norm("group", x, int64(x.Shape[0])*groups, n.In[1], n.In[2])
	}}
	onnxOps["LayerNormalization"] = onnxOp{2, 3, func(n *onnxNode) error { return n.axisNorm("layer", n.In[0], n.In[1], n.Get(2)) }}
	for _, name := range []string{"RMSNormalization", "SimplifiedLayerNormalization"} {
		onnxOps[name] = onnxOp{2, 2, func(n *onnxNode) error { return n.axisNorm("rms", n.In[0], n.In[1], nil) }}
	}
	onnxOps["SkipLayerNormalization"] = onnxOp{3, 5, func(n *onnxNode) error { return n.skipNorm("layer", n.In[2], n.Get(3), n.Get(4)) }}
	onnxOps["SkipSimplifiedLayerNormalization"] = onnxOp{3, 4, func(n *onnxNode) error { return n.skipNorm("rms", n.In[2], nil, n.Get(3)) }}
	onnxOps["LRN"] = onnxOp{1, 1, func(n *onnxNode) error {
		x := n.In[0]
		if x.Rank() < 2 {
			return n.Fail("the input has shape %v (want N, C and others)", x.Shape)
		}
		return n.normOf(graph.Norm{Func: "lrn", Rows: x.Elements() / max(int64(x.Shape[1]), 1), Cols: int64(x.Shape[1])}, x, nil, nil)
	}}
	onnxOps["LpNormalization"] = onnxOp{1, 1, func(n *onnxNode) error {
		axis, err := n.Axis(n.Int("axis", -1), n.In[0].Rank())
		if err != nil {
			return err
		}
		return n.norm("rms", n.In[0], n.In[0].Elements()/max(int64(n.In[0].Shape[axis]), 1), nil, nil)
	}}
	onnxOps["MeanVarianceNormalization"] = onnxOp{1, 1, onnxMeanVariance}
	for _, name := range []string{"Softmax", "LogSoftmax", "Hardmax"} {
		onnxOps[name] = onnxOp{1, 1, onnxSoftmax}
	}
	for name, fn := range map[string]string{"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max", "ReduceMin": "min",
		"ReduceProd": "prod", "ReduceL1": "l1", "ReduceL2": "l2", "ReduceSumSquare": "sum_square",
		"ReduceLogSum": "log_sum", "ReduceLogSumExp": "log_sum_exp"} {
		onnxOps[name] = onnxOp{1, 2, func(n *onnxNode) error { return n.reduce(fn) }}
	}
	for _, name := range []string{"ArgMax", "ArgMin"} {
		onnxOps[name] = onnxOp{1, 1, onnxArg}
	}
	onnxOps["TopK"] = onnxOp{1, 2, onnxTopK}
}

// norm is a normalisation of x in the given number of equal rows.
func (n *onnxNode) norm(fn string, x *node.Value, rows int64, scale, bias *node.Value) error {
	return n.normOf(graph.Norm{Func: fn, Rows: rows, Cols: x.Elements() / max(rows, 1), Bias: bias != nil}, x, scale, bias)
}

func (n *onnxNode) normOf(k graph.Norm, x, scale, bias *node.Value) error {
	out, err := n.Result(0, x.Elem, x.Shape...)
	if err != nil {
		return err
	}
	return n.Emit(k, []*node.Value{x, scale, bias}, out)
}

// onnxBatchNorm: the running mean and variance are folded into scale and shift.
func onnxBatchNorm(n *onnxNode) error {
	x := n.In[0]
	c := 1
	if x.Rank() > 1 {
		c = x.Shape[1]
	}
	for i := 1; i < 5; i++ {
		if n.In[i].Elements() != int64(c) {
			return n.Fail("input %d has shape %v (want %d channels)", i, n.In[i].Shape, c)
		}
	}
	for i := 1; i < len(n.Proto.Output); i++ { // statistics, for training only
		n.Set(i, node.NewConstant(n.Name+".statistics", x.Elem, c))
	}
	return n.norm("batch", x, int64(c), n.In[1], n.In[2])
}

// axisNorm normalises the dimensions from attribute axis on.
func (n *onnxNode) axisNorm(fn string, x, scale, bias *node.Value) error {
	axis, err := n.Axis(n.Int("axis", -1), x.Rank())
	if err != nil {
		return err
	}
	rows := node.Elements(x.Shape[:axis])
	if err := n.norm(fn, x, rows, scale, bias); err != nil {
		return err
	}
	shape := slices.Clone(x.Shape)
	for i := axis; i < len(shape); i++ {
		shape[i] = 1
	}
	return n.statistics(1, 2, x, shape)
}

// statistics makes the results from..to (mean, deviation), if the node has them.
func (n *onnxNode) statistics(from, to int, x *node.Value, shape []int) error {
	for i := from; i <= to; i++ {
		if !n.Wants(i) {
			continue
		}
		out, err := n.Result(i, x.Elem, shape...)
		if err != nil {
			return err
		}
		if err := n.EmitStep("statistics", graph.Reduce{Func: "mean", Elements: x.Elements(), Out: out.Elements()}, []*node.Value{x}, out); err != nil {
			return err
		}
	}
	return nil
}

// skipNorm adds the skip connection and the bias of the layer before, then
// normalises. Its fourth result is the sum.
func (n *onnxNode) skipNorm(fn string, scale, shift, bias *node.Value) error {
	in := []*node.Value{n.In[0], n.In[1]}
	if bias != nil {
		in = append(in, bias)
	}
	x := n.In[0]
	for _, v := range in[1:] {
		if s, ok := node.Broadcast(v.Shape, x.Shape); !ok || !slices.Equal(s, x.Shape) {
			return n.Fail("it adds shape %v to %v", v.Shape, x.Shape)
		}
	}
	if x.Rank() == 0 {
		return n.Fail("its input is a scalar")
	}
	sum := n.Temp("sum", x.Elem, x.Shape...)
	if n.Wants(3) {
		sum.Name = n.Proto.Output[3]
	}
	n.Set(3, sum)
	if err := n.elementwise("add", onnxMap{fn: "add"}, in, nil, sum); err != nil {
		return err
	}
	rows := node.Elements(x.Shape[:x.Rank()-1])
	if err := n.norm(fn, sum, rows, scale, shift); err != nil {
		return err
	}
	shape := slices.Clone(x.Shape)
	shape[len(shape)-1] = 1
	return n.statistics(1, 2, sum, shape)
}

func onnxMeanVariance(n *onnxNode) error {
	x := n.In[0]
	list, ok := n.Ints("axes")
	if !ok {
		list = []int64{0, 2, 3}
	}
	axes, err := n.Axes(list, x.Rank())
	if err != nil {
		return err
	}
	cols := int64(1)
	for _, a := range axes {
		cols *= int64(x.Shape[a])
	}
	return n.norm("layer", x, x.Elements()/max(cols, 1), nil, nil)
}

// onnxSoftmax: before operator set 13 everything from the axis on is one row.
func onnxSoftmax(n *onnxNode) error {
	x := n.In[0]
	def := int64(-1)
	if n.Opset < 13 {
		def = min(1, int64(x.Rank())-1)
	}
	axis, err := n.Axis(n.Int("axis", def), x.Rank())
	if err != nil {
		return err
	}
	cols := int64(x.Shape[axis])
	if n.Opset < 13 {
		cols = node.Elements(x.Shape[axis:])
	}
	out, err := n.Result(0, x.Elem, x.Shape...)
	if err != nil {
		return err
	}
	return n.Emit(graph.Softmax{Rows: x.Elements() / max(cols, 1), Cols: cols}, n.In, out)
}
