package graph_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func ExampleBuilder() {
	b := graph.NewBuilder("tiny")
	x := b.Input("input", 1, 3, 224, 224)
	x = b.Conv("conv1", x, graph.SquareConv(64, 7, 2, 3), graph.WithBias)
	x = b.Elementwise("relu1", "relu", x)
	b.Output(b.Pool("pool1", x, graph.SquarePool(3, 2, 1)))
	g, err := b.Graph()
	if err != nil {
		panic(err)
	}
	g.SetDTypes(graph.Uniform(graph.Int8))
	for i := range g.Ops {
		op := &g.Ops[i]
		f := g.Footprint(op)
		fmt.Println(op.Name, op.MACs(), op.VectorOps(), f.Bytes())
	}
	// Output:
	// conv1 118013952 0 962816
	// relu1 0 802816 1605632
	// pool1 0 1605632 1003520
}
