package onnx

import "github.com/causeway-sim/causeway/workloads/format/onnx/node"

// An onnxNode is a node with what rules share: products, windows, attention.
type onnxNode struct{ *node.Node }

// An onnxOp is the rule of one operator.
type onnxOp struct {
	least, most int // inputs
	rule        func(n *onnxNode) error
}

// onnxOps holds the operators by type. Files add theirs in init.
var onnxOps = map[string]onnxOp{}

// many stands for any number of inputs.
const many = 1 << 30

// rules finds the rule of a type of operators.
func rules(op string) (node.Rule, bool) {
	r, ok := onnxOps[op]
	return node.Rule{Least: r.least, Most: r.most, Apply: func(n *node.Node) error { return r.rule(&onnxNode{n}) }}, ok
}
