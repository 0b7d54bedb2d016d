package format

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/onnxpb"
)

// unknown is the error of the first node whose operator has no rule. It lists all such
// operators of the model with how many nodes have them, the most frequent first, so
// that one look says how far the model is from being read.
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
	e := n.fail("unknown operator").(*Error)
	e.Msg += "; of the model's operators these are not known: " + strings.Join(names, ", ")
	return e
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
		case known:
		case f == nil:
			count[name]++
		case !seen[name]:
			seen[name] = true
			m.countUnknown(f.Node, count, seen, depth+1)
		}
	}
}
