package offload

import "fmt"

// SSB is a query of the Star Schema Benchmark: the device evaluates the predicates into a bitmap,
// the host visits the selected rows.
type SSB struct {
	Query string `yaml:"query" jsonschema:"enum=q1_1,enum=q1_2" doc:"Query"`
	Rows  int    `yaml:"rows" jsonschema:"minimum=1,maximum=10000000000" doc:"Rows of lineorder; scale factor 1 has 6 million"`
	Chunk int    `yaml:"chunk" jsonschema:"minimum=8,maximum=1000000" doc:"Rows of a task, a multiple of 8"`
	Row   int    `yaml:"row_cycles" jsonschema:"minimum=0,maximum=1000000" doc:"Host cycles per row; 0 is 19, which is fitted to the host's part of Q1_1"`
	Match int    `yaml:"selected_cycles" jsonschema:"minimum=0,maximum=1000000" doc:"Host cycles per selected row; 0 is 500, which is fitted with row_cycles"`
}

func init() {
	register("ssb", "Star Schema Benchmark: predicates on the device, selection and sum on the host.", source, SSB{Query: "q1_1", Rows: 600572, Chunk: 256}, ssb)
}

func ssb(s SSB, _ uint64) (Program, error) {
	if s.Chunk%8 != 0 {
		return nil, fmt.Errorf("chunk is %d, no multiple of 8", s.Chunk)
	}
	rows := uint64(s.Chunk)
	// Per 8 rows, fitted to the device's part of Q1_1: three loads, five
	// comparisons, four conjunctions, a store, address and loop. Q1_2 has one
	// comparison and one conjunction more (quantity from 26 to 35).
	ops, selected := uint64(22), 0.019
	if s.Query == "q1_2" {
		ops, selected = 24, 0.00065
	}
	// fitted to the host's part of Q1_1: a bit of the map, and the gathers of a
	// selected row, which miss.
	perRow, perSelected := uint64(19), 500.
	if s.Row > 0 {
		perRow = uint64(s.Row)
	}
	if s.Match > 0 {
		perSelected = float64(s.Match)
	}
	return Program{{
		Name: s.Query, Tasks: (s.Rows + s.Chunk - 1) / s.Chunk, Result: rows / 8,
		Task: Cost{Ops: rows/8*ops + setup, Read: rows * 3 * float}, // discount, quantity, date
		Host: Cost{Ops: rows*perRow + uint64(float64(rows)*selected*perSelected), Read: uint64(float64(rows) * selected * 64)},
	}}, nil
}
