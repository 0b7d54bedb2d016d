package onnx

import (
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func init() { onnxOps["Einsum"] = onnxOp{1, 2, onnxEinsum} }

// onnxEinsum imports sums of products that are one stack of matrix products, or
// a rearrangement or reduction of one array. Labels in both operands and the
// result are the stack, in one operand and the result rows or columns, in both
// operands only what is summed over. What remains, such as a trace, is refused.
func onnxEinsum(n *onnxNode) error {
	equation := strings.ReplaceAll(n.Text("equation", ""), " ", "")
	left, result, explicit := strings.Cut(equation, "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(n.In) || equation == "" {
		return n.Fail("equation %q with %d inputs", equation, len(n.In))
	}
	labels, size, ellipsis, err := n.einsumSizes(equation, terms)
	if err != nil {
		return err
	}
	if explicit {
		result = strings.Replace(result, "...", ellipsis, 1)
	} else {
		result = ellipsis + einsumImplicit(labels)
	}
	shape, err := n.einsumShape(equation, result, size)
	if err != nil {
		return err
	}
	out, err := n.Result(0, n.In[0].Elem, shape...)
	if err != nil {
		return err
	}
	if len(terms) == 1 {
		if out.Elements() == n.In[0].Elements() {
			return n.Emit(graph.Move{Func: "transpose", Elements: out.Elements()}, n.In, out)
		}
		return n.Emit(graph.Reduce{Func: "sum", Elements: n.In[0].Elements(), Out: out.Elements()}, n.In, out)
	}
	p, err := n.einsumProduct(equation, labels, result, size)
	if err != nil {
		return err
	}
	return n.product(n.In[0], n.In[1], nil, out, p)
}

// einsumSizes returns the labels of each operand, with those that stand for "...", the size of
// each label, and the labels of the longest "...".
func (n *onnxNode) einsumSizes(equation string, terms []string) (labels []string, size map[rune]int, ellipsis string, err error) {
	size, labels = map[rune]int{}, make([]string, len(terms))
	const reserved = "\U000F0000"
	for i, term := range terms {
		if labels[i], err = n.einsumLabels(term, n.In[i], []rune(reserved)[0], &ellipsis); err != nil {
			return nil, nil, "", err
		}
		for d, l := range []rune(labels[i]) {
			if s, known := size[l]; known && s != n.In[i].Shape[d] && s != 1 && n.In[i].Shape[d] != 1 {
				return nil, nil, "", n.Fail("label %c is %d and %d", l, s, n.In[i].Shape[d])
			}
			size[l] = max(size[l], n.In[i].Shape[d])
			if strings.Count(labels[i], string(l)) > 1 {
				return nil, nil, "", n.Fail("equation %q repeats %c in one term, which is not supported", equation, l)
			}
			if n.In[i].Shape[d] == 1 && size[l] != 1 {
				return nil, nil, "", n.Fail("equation %q broadcasts %c, which is not supported", equation, l)
			}
		}
	}
	for i, l := range labels { // a later operand may be the larger one
		for d, c := range []rune(l) {
			if n.In[i].Shape[d] != size[c] {
				return nil, nil, "", n.Fail("equation %q broadcasts %c, which is not supported", equation, c)
			}
		}
	}
	return labels, size, ellipsis, nil
}

// einsumShape returns the shape of the result by its labels, each of which may appear once.
func (n *onnxNode) einsumShape(equation, result string, size map[rune]int) (shape []int, err error) {
	for i, l := range []rune(result) {
		s, known := size[l]
		if !known || strings.ContainsRune(string([]rune(result)[:i]), l) {
			return nil, n.Fail("equation %q: %c in the result", equation, l)
		}
		shape = append(shape, s)
	}
	return shape, nil
}

// einsumProduct returns the stack of matrix products that two operands make.
func (n *onnxNode) einsumProduct(equation string, labels []string, result string, size map[rune]int) (productShape, error) {
	p := productShape{1, 1, 1, 1, 1, 1}
	for _, l := range labels[0] + labels[1] {
		a, b, r := strings.ContainsRune(labels[0], l), strings.ContainsRune(labels[1], l), strings.ContainsRune(result, l)
		f := int64(size[l])
		if size[l] < 0 {
			continue // counted with the first operand
		}
		size[l] = -1
		switch {
		case a && b && r:
			p.batch, p.batchA, p.batchB = p.batch*f, p.batchA*f, p.batchB*f
		case a && b:
			p.k *= f
		case a && r:
			p.m *= f
		case b && r:
			p.n *= f
		default:
			return p, n.Fail("equation %q sums %c over one operand, which is not supported", equation, l)
		}
	}
	return p, nil
}

// einsumLabels expands "..." into reserved labels, aligned at the last one.
func (n *onnxNode) einsumLabels(term string, v *node.Value, first rune, ellipsis *string) (string, error) {
	before, after, dots := strings.Cut(term, "...")
	named := len([]rune(before)) + len([]rune(after))
	extra := v.Rank() - named
	if extra < 0 || !dots && extra > 0 || extra > 64 {
		return "", n.Fail("term %q for an array of shape %v", term, v.Shape)
	}
	for _, c := range before + after {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return "", n.Fail("term %q: %q is not a letter", term, c)
		}
	}
	var middle []rune
	for i := range extra {
		middle = append(middle, first+rune(extra-1-i))
	}
	if len(middle) > len([]rune(*ellipsis)) {
		*ellipsis = string(middle)
	}
	return before + string(middle) + after, nil
}

// einsumImplicit is the result of an equation without "->": the labels that
// appear once, in alphabetical order, after the ellipsis.
func einsumImplicit(labels []string) string {
	all := strings.Join(labels, "")
	var out strings.Builder
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" {
		if strings.Count(all, string(c)) == 1 {
			out.WriteRune(c)
		}
	}
	return out.String()
}
