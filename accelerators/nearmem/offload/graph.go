package offload

import (
	"fmt"
	"math/rand/v2"
)

// Graph is the spec of sssp and pagerank: every round traverses all edges of one graph.
type Graph struct {
	Vertices int `yaml:"vertices" jsonschema:"minimum=1,maximum=100000000" doc:"Vertices"`
	Edges    int `yaml:"edges" jsonschema:"minimum=1,maximum=100000000" doc:"Edges, each traversed once a round"`
	Rounds   int `yaml:"rounds" jsonschema:"minimum=1,maximum=100000" doc:"Rounds over all edges"`
	Chunk    int `yaml:"chunk" jsonschema:"minimum=1,maximum=1000000" doc:"Vertices of a task"`
	Vertex   int `yaml:"vertex_cycles" jsonschema:"minimum=0,maximum=1000000" doc:"Host cycles per vertex; 0 is 14 in pagerank, counted, and 54 in sssp, which is fitted to the published back-pressure"`
}

func init() {
	register("pagerank", "PageRank: sums over edges on the device, new ranks on the host.", source+" (coAuthorsDBLP)",
		Graph{Vertices: 299067, Edges: 977676, Rounds: 1, Chunk: 64}, func(s Graph, seed uint64) (Program, error) {
			return s.program("sums", seed, s.Edges,
				// Per edge a load of the neighbour's value and an addition; a load brings two
				// indices; row pointers and the store count per vertex. Values are cached: 1.2
				// MB.
				Cost{Ops: 2, Read: 2 * float}, Cost{Ops: 2, Read: 2 * float},
				// Loads of sum, old rank and degree, damping, difference, absolute value, its
				// sum, a division of 4 cycles, two stores, loop.
				14)
		})
	register("sssp", "Shortest paths by relaxation: candidates on the device, updates and frontier on the host.", source+" (USA-road NY)",
		Graph{Vertices: 264346, Edges: 733846, Rounds: 1, Chunk: 64}, func(s Graph, seed uint64) (Program, error) {
			return s.program("relax", seed, (s.Edges+1)/2,
				// Per edge target and weight (half a load each), the neighbour's distance,
				// addition, minimum with its branch: 3.5, counted in pairs below.
				Cost{Ops: 7, Read: 4 * float}, Cost{Ops: 2, Read: 2 * float},
				// Three loads, two comparisons, two branches missed half of the time at 20
				// cycles, an atomic addition to the frontier's tail (20), stores, indices, loop.
				54)
		})
}

// program deals units of work, edges or pairs of them, to chunks of vertices at
// random. Edge is what a unit costs, vertex and host what a vertex does.
func (s Graph) program(name string, seed uint64, edges int, edge, vertex Cost, host uint64) (Program, error) {
	if s.Chunk > s.Vertices {
		return nil, fmt.Errorf("chunk is %d, and the graph has %d vertices", s.Chunk, s.Vertices)
	}
	if err := fits(s.Vertices/s.Chunk, 1); err != nil {
		return nil, err
	}
	if s.Vertex > 0 {
		host = uint64(s.Vertex)
	}
	tasks := (s.Vertices + s.Chunk - 1) / s.Chunk
	r := rand.New(rand.NewPCG(seed, uint64(s.Vertices)))
	units := make([]uint32, tasks)
	for range edges {
		units[r.IntN(tasks)]++
	}
	n := uint64(s.Chunk)
	return Program{{
		Name: name, Repeat: s.Rounds, Tasks: tasks, Result: n * float,
		Task: Cost{Ops: n*vertex.Ops + setup, Read: n * vertex.Read}, Units: units, Unit: edge,
		Host: Cost{Ops: n * host, Read: n * 2 * float},
	}}, nil
}
