package mapping_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A product whose filter does not fit is gone through in tiles.
func ExampleMap() {
	b := graph.NewBuilder("one")
	b.Output(b.Linear("fc", b.Input("x", 256, 1024), 1024))
	g, err := b.Graph()
	if err != nil {
		fmt.Println(err)
		return
	}
	g.SetDTypes(graph.Uniform(graph.Int8))
	core := machine.Core{Array: dataflow.Array{Rows: 128, Cols: 128}, Dataflow: "ws",
		SRAM: machine.SRAM{Ifmap: 512 << 10, Filter: 512 << 10, Ofmap: 512 << 10}, Accumulator: graph.Int32, Lanes: 128}
	p, err := mapping.Map(&g.Ops[0], g, core, "traffic")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("tile %+v order %s, %s stays\n", p.Tile, p.Order, p.Resident())
	fmt.Printf("%d bytes, %d cycles, %d steps\n", p.Traffic.Total(), p.Cycles, p.Steps)
	var first dma.Step
	p.Walk().Next(&first)
	fmt.Printf("first step: %d loads, %d cycles\n", len(first.Loads), first.Cycles)
	// Output:
	// tile {Batch:1 M:256 N:256 K:1024} order mnk, ofmap stays
	// 1572864 bytes, 40832 cycles, 32 steps
	// first step: 2 loads, 1276 cycles
}
