package offload

import (
	"fmt"
	"math/bits"
)

// KNN is a search for the nearest neighbours of a query: the device computes the
// distance of every row, the host keeps them in a heap.
type KNN struct {
	Dim     int `yaml:"dim" jsonschema:"minimum=1,maximum=1000000" doc:"Elements of a vector (fp32)"`
	Rows    int `yaml:"rows" jsonschema:"minimum=1,maximum=10000000" doc:"Vectors that are compared with the query"`
	Queries int `yaml:"queries" jsonschema:"minimum=1,maximum=1000000" doc:"Queries, one after the other"`
	Slices  int `yaml:"slices" jsonschema:"minimum=1,maximum=65536" doc:"Parts of a vector that units compute apart; divides dim"`
	Level   int `yaml:"level_cycles" jsonschema:"minimum=0,maximum=1000000" doc:"Host cycles per level of the heap; 0 is 28, which is fitted to the published totals of (2048, 128)"`
}

func init() {
	register("knn", "Nearest neighbours: distances on the device, a heap on the host.", source, KNN{Dim: 2048, Rows: 128, Queries: 1, Slices: 16}, knn)
}

// heapLevel is what a level of a heap costs the host: two dependent loads of 5
// cycles, a branch missed half of the time (20 cycles), comparison, move and index
// arithmetic.
//
// fitted, together with setup and the firmware of rp, to the published totals of
// (2048, 128).
const heapLevel = 28

func knn(s KNN, _ uint64) (Program, error) {
	if s.Dim%s.Slices != 0 {
		return nil, fmt.Errorf("dim is %d, no multiple of the %d slices", s.Dim, s.Slices)
	}
	if err := fits(s.Rows, s.Slices); err != nil {
		return nil, err
	}
	part := uint64(s.Dim / s.Slices)
	level := uint64(s.Level)
	if level == 0 {
		level = heapLevel
	}
	levels := uint64(max(1, bits.Len(uint(s.Rows-1))))
	return Program{{
		Name: "distances", Repeat: s.Queries, Argument: uint64(s.Dim) * float,
		// Vectors lie across the units, which work on the same one at a time.
		Tasks: s.Rows * s.Slices, Gather: s.Slices, Rounds: s.Rows * s.Slices, Result: float,
		// Subtraction, multiply-add, half a load of 8 B; the query is in registers.
		Task: Cost{Ops: (part*5+1)/2 + setup, Read: part * float},
		// The slices are added up: an addition and half a load each.
		Host:  Cost{Ops: level*levels + uint64(s.Slices)*3/2},
		Width: 1, // one heap
	}}, nil
}
