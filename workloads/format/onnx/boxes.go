package onnx

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

func init() { onnxOps["NonMaxSuppression"] = onnxOp{2, 5, onnxNonMax} }

// onnxNonMax: boxes (images, boxes, 4), scores (images, classes, boxes), how many to keep of
// a class. How many overlap only the run knows: the result is as long as it may be, and a
// note says so. Its work is a pass over the scores.
func onnxNonMax(n *onnxNode) error {
	boxes, scores := n.In[0], n.In[1]
	if boxes.Rank() != 3 || scores.Rank() != 3 || boxes.Shape[0] != scores.Shape[0] || boxes.Shape[1] != scores.Shape[2] || boxes.Shape[2] != 4 {
		return n.Fail("boxes %v and scores %v (want images, boxes, 4 and images, classes, boxes)", boxes.Shape, scores.Shape)
	}
	keep := int64(0)
	if n.Has(2) {
		v, err := n.Known(2, "the number of boxes per class")
		if err != nil {
			return err
		}
		if len(v) > 0 {
			keep = v[0]
		}
	}
	if keep < 1 {
		return n.Fail("it keeps %d boxes per class (want at least 1)", keep)
	}
	rows := node.Elements(scores.Shape[:2])
	most, ok := format.Product(rows, min(keep, int64(boxes.Shape[1])))
	if !ok || most > format.MaxDim {
		return n.Fail("it may keep more than %d boxes", format.MaxDim)
	}
	out, err := n.Result(0, onnxpb.TensorProto_INT64, int(most), 3)
	if err != nil {
		return err
	}
	n.Model.Notes = append(n.Model.Notes, fmt.Sprintf("Boxes of %s are as many as it may keep, %d: how many overlap depends on the data.", n.Name, most))
	return n.Emit(graph.Reduce{Func: "topk", Elements: scores.Elements(), Out: out.Elements()}, []*node.Value{scores, boxes}, out)
}
