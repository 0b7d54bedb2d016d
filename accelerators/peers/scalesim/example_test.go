package scalesim_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/peers/scalesim"
)

func Example() {
	array := scalesim.Array{Rows: 128, Cols: 128, Dataflow: scalesim.OS,
		IfmapSRAM: 1 << 20, FilterSRAM: 1 << 20, OfmapSRAM: 1 << 20}
	layer := scalesim.Layer{Name: "conv2", H: 27, W: 27, R: 5, S: 5, C: 96, N: 256, StrideH: 1, StrideW: 1}

	d, err := array.DRAM(layer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d cycles, %d with prefetch, %.2f%% busy\n", d.Cycles, d.Total, d.Utilization)
	fmt.Printf("filter: %d words from DRAM at %.2f words per cycle\n", d.Filter.Words, d.Filter.Bandwidth)
	// Output:
	// 26539 cycles, 80021 with prefetch, 74.75% busy
	// filter: 831450 words from DRAM at 12.33 words per cycle
}
