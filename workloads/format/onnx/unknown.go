package onnx

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// unknown is the error of the first node whose operator has no rule. It lists all such operators
// of the model with their numbers of nodes, the most frequent first.
func (m *onnxImport) unknown(n *onnxNode) error {
	count := map[string]int{}
	m.countUnknown(m.all, count, map[string]bool{}, 0)
	name := n.pb.OpType
	if !standardDomain(n.pb.Domain) {
		name = n.pb.Domain + "." + name
	}
	count[name] = max(count[name], 1) // made by a function of a function
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for i, s := range names {
		names[i] = fmt.Sprintf("%s (%s)", s, nodes(count[s]))
	}
	e := n.fail("unknown operator").(*format.Error)
	e.Msg += "; of the model's operators these are not known: " + strings.Join(names, ", ") + "; workload.unknown may say what to take them for (elementwise, free)"
	return e
}

// Values of Options.Unknown.
const (
	// Elementwise is one operation for each element of the first input; each result has its shape.
	Elementwise = "elementwise"
	// Free is no work: each result is the first input.
	Free = "free"
)

// StandIns lists the values of Options.Unknown.
func StandIns() []string { return []string{Elementwise, Free} }

// standIn imports an operator without a rule by Options.Unknown.
func (m *onnxImport) standIn(n *onnxNode) (done bool, err error) {
	name := n.pb.Domain + "." + n.pb.OpType
	how, ok := m.o.Unknown[name]
	if !ok {
		name = n.pb.OpType
		how, ok = m.o.Unknown[name]
	}
	if !ok {
		return false, nil
	}
	if err := n.least(1); err != nil {
		return true, err
	}
	m.stoodIn[name]++
	x := n.in[0]
	for i := range n.pb.Output {
		switch {
		case !n.wants(i):
		case how == Free:
			n.set(i, x)
		default:
			out, err := n.result(i, x.elem, x.shape...)
			if err != nil {
				return true, err
			}
			k := graph.Elementwise{Func: "unknown", Elements: out.elements(), Inputs: 1, OpsPer: 1}
			if i == 0 {
				err = n.emit(k, []*onnxValue{x}, out)
			} else {
				err = n.emitStep(fmt.Sprint(i), k, []*onnxValue{x}, out)
			}
			if err != nil {
				return true, err
			}
		}
	}
	return true, nil
}

// checkStandIns refuses stand-ins for operators that have a rule, and unknown ways.
func (m *onnxImport) checkStandIns() error {
	for _, name := range slices.Sorted(maps.Keys(m.o.Unknown)) {
		_, known := onnxOps[name]
		if known || name == "If" {
			return &format.Error{File: m.file, Offset: -1, Unknown: name, Msg: fmt.Sprintf("unknown: %s is known, its work is counted", name)}
		}
		if how := m.o.Unknown[name]; !slices.Contains(StandIns(), how) {
			return &format.Error{File: m.file, Offset: -1, Unknown: name, Msg: fmt.Sprintf("unknown: %s is taken as %q", name, how), Want: StandIns()}
		}
	}
	return nil
}

// standInNotes adds notes about operators imported by Options.Unknown, and returns an error for
// names that the model does not have.
func (m *onnxImport) standInNotes() (notes []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(m.o.Unknown)) {
		n := m.stoodIn[name]
		if n == 0 {
			return nil, &format.Error{File: m.file, Offset: -1, Unknown: name, Msg: fmt.Sprintf("unknown: the model has no operator %s", name)}
		}
		what := "costs nothing and hands on its first input"
		if m.o.Unknown[name] == Elementwise {
			what = "is one operation for each element of its first input"
		}
		notes = append(notes, fmt.Sprintf("Operator %s (%s) has no rule: it %s (workload.unknown).", name, nodes(n), what))
	}
	return notes, nil
}

func nodes(n int) string {
	if n == 1 {
		return "1 node"
	}
	return fmt.Sprintf("%d nodes", n)
}

// countUnknown counts the nodes without a rule, in branches and in the functions that
// are called too, each function once.
func (m *onnxImport) countUnknown(list []*onnxpb.NodeProto, count map[string]int, seen map[string]bool, depth int) {
	if depth > maxFunctionDepth {
		return
	}
	for _, pb := range list {
		name := pb.OpType
		if !standardDomain(pb.Domain) {
			name = pb.Domain + "." + name
		}
		f := m.functions[pb.Domain+"."+pb.OpType]
		_, known := onnxOps[pb.OpType]
		switch {
		case pb.OpType == "If":
			for _, a := range pb.Attribute {
				if a.G != nil {
					m.countUnknown(a.G.Node, count, seen, depth+1)
				}
			}
		case known, m.o.Unknown[name] != "", m.o.Unknown[pb.OpType] != "":
		case f == nil:
			count[name]++
		case !seen[name]:
			seen[name] = true
			m.countUnknown(f.Node, count, seen, depth+1)
		}
	}
}
