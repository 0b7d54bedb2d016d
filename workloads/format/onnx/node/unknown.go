package node

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
func (m *Model) unknown(n *Node) error {
	count := map[string]int{}
	m.countUnknown(m.all, count, map[string]bool{}, 0)
	name := n.Proto.OpType
	if !StandardDomain(n.Proto.Domain) {
		name = n.Proto.Domain + "." + name
	}
	count[name] = max(count[name], 1) // made by a function of a function
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for i, s := range names {
		names[i] = fmt.Sprintf("%s (%s)", s, nodes(count[s]))
	}
	e := n.Fail("unknown operator").(*format.Error)
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
func (m *Model) standIn(n *Node) (done bool, err error) {
	name := n.Proto.Domain + "." + n.Proto.OpType
	how, ok := m.Options.Unknown[name]
	if !ok {
		name = n.Proto.OpType
		how, ok = m.Options.Unknown[name]
	}
	if !ok {
		return false, nil
	}
	if err := n.Least(1); err != nil {
		return true, err
	}
	m.stoodIn[name]++
	x := n.In[0]
	for i := range n.Proto.Output {
		switch {
		case !n.Wants(i):
		case how == Free:
			n.Set(i, x)
		default:
			out, err := n.Result(i, x.Elem, x.Shape...)
			if err != nil {
				return true, err
			}
			k := graph.Elementwise{Func: "unknown", Elements: out.Elements(), Inputs: 1, OpsPer: 1}
			if i == 0 {
				err = n.Emit(k, []*Value{x}, out)
			} else {
				err = n.EmitStep(fmt.Sprint(i), k, []*Value{x}, out)
			}
			if err != nil {
				return true, err
			}
		}
	}
	return true, nil
}

// checkStandIns refuses stand-ins for operators that have a rule, and unknown ways.
func (m *Model) checkStandIns() error {
	for _, name := range slices.Sorted(maps.Keys(m.Options.Unknown)) {
		_, known := m.rules(name)
		if known || name == "If" {
			return &format.Error{File: m.file, Offset: -1, Unknown: name, Msg: fmt.Sprintf("unknown: %s is known, its work is counted", name)}
		}
		if how := m.Options.Unknown[name]; !slices.Contains(StandIns(), how) {
			return &format.Error{File: m.file, Offset: -1, Unknown: name, Msg: fmt.Sprintf("unknown: %s is taken as %q", name, how), Want: StandIns()}
		}
	}
	return nil
}

// standInNotes adds notes about operators imported by Options.Unknown, and returns an error for
// names that the model does not have.
func (m *Model) standInNotes() (notes []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(m.Options.Unknown)) {
		n := m.stoodIn[name]
		if n == 0 {
			return nil, &format.Error{File: m.file, Offset: -1, Unknown: name, Msg: fmt.Sprintf("unknown: the model has no operator %s", name)}
		}
		what := "costs nothing and hands on its first input"
		if m.Options.Unknown[name] == Elementwise {
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
func (m *Model) countUnknown(list []*onnxpb.NodeProto, count map[string]int, seen map[string]bool, depth int) {
	if depth > maxFunctionDepth {
		return
	}
	for _, pb := range list {
		name := pb.OpType
		if !StandardDomain(pb.Domain) {
			name = pb.Domain + "." + name
		}
		f := m.functions[pb.Domain+"."+pb.OpType]
		_, known := m.rules(pb.OpType)
		switch {
		case pb.OpType == "If":
			for _, a := range pb.Attribute {
				if a.G != nil {
					m.countUnknown(a.G.Node, count, seen, depth+1)
				}
			}
		case known, m.Options.Unknown[name] != "", m.Options.Unknown[pb.OpType] != "":
		case f == nil:
			count[name]++
		case !seen[name]:
			seen[name] = true
			m.countUnknown(f.Node, count, seen, depth+1)
		}
	}
}
