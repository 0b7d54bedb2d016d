package onnx

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

func init() { onnxOps["NonMaxSuppression"] = onnxOp{2, 5, onnxNonMax} }

// onnxNonMax: boxes (images, boxes, 4), scores (images, classes, boxes), how many to keep of
// a class. How many overlap only the run knows: the result is as long as it may be, and a
// note says so. Its work is a pass over the scores.
func onnxNonMax(n *onnxNode) error {
	boxes, scores := n.in[0], n.in[1]
	if boxes.rank() != 3 || scores.rank() != 3 || boxes.shape[0] != scores.shape[0] || boxes.shape[1] != scores.shape[2] || boxes.shape[2] != 4 {
		return n.fail("boxes %v and scores %v (want images, boxes, 4 and images, classes, boxes)", boxes.shape, scores.shape)
	}
	keep := int64(0)
	if n.has(2) {
		v, err := n.known(2, "the number of boxes per class")
		if err != nil {
			return err
		}
		if len(v) > 0 {
			keep = v[0]
		}
	}
	if keep < 1 {
		return n.fail("it keeps %d boxes per class (want at least 1)", keep)
	}
	rows := elementsOf(scores.shape[:2])
	most, ok := format.Product(rows, min(keep, int64(boxes.shape[1])))
	if !ok || most > format.MaxDim {
		return n.fail("it may keep more than %d boxes", format.MaxDim)
	}
	out, err := n.result(0, onnxpb.TensorProto_INT64, int(most), 3)
	if err != nil {
		return err
	}
	n.m.notes = append(n.m.notes, fmt.Sprintf("Boxes of %s are as many as it may keep, %d: how many overlap depends on the data.", n.name, most))
	return n.emit(graph.Reduce{Func: "topk", Elements: scores.elements(), Out: out.elements()}, []*onnxValue{scores, boxes}, out)
}
