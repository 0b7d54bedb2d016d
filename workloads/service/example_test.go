package service_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/service"
)

// A query of one hop: which bytes it reads, and what it computes.
func Example() {
	p, err := service.New("rag", service.RAG{Queries: 1, Hops: 1, Degree: 32, Dim: 768, Vectors: 1000})
	if err != nil {
		panic(err)
	}
	for _, s := range p.Steps {
		for _, r := range s.Reads {
			fmt.Printf("%s: %d x %d B of %s, %.0f operations\n", s.Name, r.Count, r.Bytes, p.Regions[r.Region].Name, s.Compute)
		}
	}
	// Output:
	// neighbours: 1 x 128 B of graph, 0 operations
	// distances: 32 x 3072 B of vectors, 73728 operations
}
