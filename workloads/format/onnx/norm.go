package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Normalisations, softmax and reductions.
func init() {
	onnxOps["BatchNormalization"] = onnxOp{5, 5, onnxBatchNorm}
	onnxOps["InstanceNormalization"] = onnxOp{3, 3, func(n *onnxNode) error {
		x := n.in[0]
		if x.rank() < 3 {
			return n.fail("the input has shape %v (want N, C and spatial dimensions)", x.shape)
		}
		rows := int64(x.shape[0]) * int64(x.shape[1])
		return n.norm("group", x, rows, n.in[1], n.in[2])
	}}
	onnxOps["GroupNormalization"] = onnxOp{3, 3, func(n *onnxNode) error {
		x, groups := n.in[0], n.int("num_groups", 0)
		if x.rank() < 2 || groups < 1 || int64(x.shape[1])%groups != 0 {
			return n.fail("%d groups of shape %v (want a divisor of the channels)", groups, x.shape)
		}
		return n.norm("group", x, int64(x.shape[0])*groups, n.in[1], n.in[2])
	}}
	onnxOps["LayerNormalization"] = onnxOp{2, 3, func(n *onnxNode) error { return n.axisNorm("layer", n.in[0], n.in[1], n.get(2)) }}
	for _, name := range []string{"RMSNormalization", "SimplifiedLayerNormalization"} {
		onnxOps[name] = onnxOp{2, 2, func(n *onnxNode) error { return n.axisNorm("rms", n.in[0], n.in[1], nil) }}
	}
	onnxOps["SkipLayerNormalization"] = onnxOp{3, 5, func(n *onnxNode) error { return n.skipNorm("layer", n.in[2], n.get(3), n.get(4)) }}
	onnxOps["SkipSimplifiedLayerNormalization"] = onnxOp{3, 4, func(n *onnxNode) error { return n.skipNorm("rms", n.in[2], nil, n.get(3)) }}
	onnxOps["LRN"] = onnxOp{1, 1, func(n *onnxNode) error {
		x := n.in[0]
		if x.rank() < 2 {
			return n.fail("the input has shape %v (want N, C and others)", x.shape)
		}
		return n.normOf(graph.Norm{Func: "lrn", Rows: x.elements() / max(int64(x.shape[1]), 1), Cols: int64(x.shape[1])}, x, nil, nil)
	}}
	onnxOps["LpNormalization"] = onnxOp{1, 1, func(n *onnxNode) error {
		axis, err := n.axis(n.int("axis", -1), n.in[0].rank())
		if err != nil {
			return err
		}
		return n.norm("rms", n.in[0], n.in[0].elements()/max(int64(n.in[0].shape[axis]), 1), nil, nil)
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
func (n *onnxNode) norm(fn string, x *onnxValue, rows int64, scale, bias *onnxValue) error {
	return n.normOf(graph.Norm{Func: fn, Rows: rows, Cols: x.elements() / max(rows, 1), Bias: bias != nil}, x, scale, bias)
}

func (n *onnxNode) normOf(k graph.Norm, x, scale, bias *onnxValue) error {
	out, err := n.result(0, x.elem, x.shape...)
	if err != nil {
		return err
	}
	return n.emit(k, []*onnxValue{x, scale, bias}, out)
}

// onnxBatchNorm: the running mean and variance are folded into scale and shift.
func onnxBatchNorm(n *onnxNode) error {
	x := n.in[0]
	c := 1
	if x.rank() > 1 {
		c = x.shape[1]
	}
	for i := 1; i < 5; i++ {
		if n.in[i].elements() != int64(c) {
			return n.fail("input %d has shape %v (want %d channels)", i, n.in[i].shape, c)
		}
	}
	for i := 1; i < len(n.pb.Output); i++ { // statistics, for training only
		n.set(i, newConst(n.name+".statistics", x.elem, c))
	}
	return n.norm("batch", x, int64(c), n.in[1], n.in[2])
}

// axisNorm normalises the dimensions from attribute axis on.
func (n *onnxNode) axisNorm(fn string, x, scale, bias *onnxValue) error {
	axis, err := n.axis(n.int("axis", -1), x.rank())
	if err != nil {
		return err
	}
	rows := elementsOf(x.shape[:axis])
	if err := n.norm(fn, x, rows, scale, bias); err != nil {
		return err
	}
	shape := slices.Clone(x.shape)
	for i := axis; i < len(shape); i++ {
		shape[i] = 1
	}
	return n.statistics(1, 2, x, shape)
}

// statistics makes the results from..to (mean, deviation), if the node has them.
func (n *onnxNode) statistics(from, to int, x *onnxValue, shape []int) error {
	for i := from; i <= to; i++ {
		if !n.wants(i) {
			continue
		}
		out, err := n.result(i, x.elem, shape...)
		if err != nil {
			return err
		}
		if err := n.emitStep("statistics", graph.Reduce{Func: "mean", Elements: x.elements(), Out: out.elements()}, []*onnxValue{x}, out); err != nil {
			return err
		}
	}
	return nil
}

// skipNorm adds the skip connection and the bias of the layer before, then
// normalises. Its fourth result is the sum.
func (n *onnxNode) skipNorm(fn string, scale, shift, bias *onnxValue) error {
	in := []*onnxValue{n.in[0], n.in[1]}
	if bias != nil {
		in = append(in, bias)
	}
	x := n.in[0]
	for _, v := range in[1:] {
		if s, ok := broadcast(v.shape, x.shape); !ok || !slices.Equal(s, x.shape) {
			return n.fail("it adds shape %v to %v", v.shape, x.shape)
		}
	}
	if x.rank() == 0 {
		return n.fail("its input is a scalar")
	}
	sum := n.temp("sum", x.elem, x.shape...)
	if n.wants(3) {
		sum.name = n.pb.Output[3]
	}
	n.set(3, sum)
	if err := n.elementwise("add", onnxMap{fn: "add"}, in, nil, sum); err != nil {
		return err
	}
	rows := elementsOf(x.shape[:x.rank()-1])
	if err := n.norm(fn, sum, rows, scale, shift); err != nil {
		return err
	}
	shape := slices.Clone(x.shape)
	shape[len(shape)-1] = 1
	return n.statistics(1, 2, sum, shape)
}

func onnxMeanVariance(n *onnxNode) error {
	x := n.in[0]
	list, ok := n.ints("axes")
	if !ok {
		list = []int64{0, 2, 3}
	}
	axes, err := n.axes(list, x.rank())
	if err != nil {
		return err
	}
	cols := int64(1)
	for _, a := range axes {
		cols *= int64(x.shape[a])
	}
	return n.norm("layer", x, x.elements()/max(cols, 1), nil, nil)
}

// onnxSoftmax: before operator set 13 everything from the axis on is one row.
func onnxSoftmax(n *onnxNode) error {
	x := n.in[0]
	def := int64(-1)
	if n.opset < 13 {
		def = min(1, int64(x.rank())-1)
	}
	axis, err := n.axis(n.int("axis", def), x.rank())
	if err != nil {
		return err
	}
	cols := int64(x.shape[axis])
	if n.opset < 13 {
		cols = elementsOf(x.shape[axis:])
	}
	out, err := n.result(0, x.elem, x.shape...)
	if err != nil {
		return err
	}
	return n.emit(graph.Softmax{Rows: x.elements() / max(cols, 1), Cols: cols}, n.in, out)
}
