package service

// RAG is the search of retrieval-augmented generation: a walk through a graph of
// neighbours (HNSW). Each hop reads the list of neighbours of the best vector that is not
// visited, then their vectors, and computes the distances.
type RAG struct {
	Queries int `yaml:"queries" jsonschema:"minimum=1" doc:"Queries, one after the other"`
	Hops    int `yaml:"hops" jsonschema:"minimum=1" doc:"Vectors whose neighbours are visited, per query (efSearch)"`
	Degree  int `yaml:"degree" jsonschema:"minimum=1" doc:"Neighbours of a vector"`
	Dim     int `yaml:"dim" jsonschema:"minimum=1" doc:"Elements of a vector (fp32)"`
	Vectors int `yaml:"vectors" jsonschema:"minimum=1" doc:"Vectors of the base"`
}

// DefaultRAG has the vectors and the search depth of DPR and the degree of HNSW's
// usual M of 16 (twice as many in the lowest layer).
//
// assumption: all neighbours of a hop are read, also those seen before; the upper layers
// are left out.
func DefaultRAG() RAG { return RAG{Queries: 1, Hops: 128, Degree: 32, Dim: 768, Vectors: 21015324} }

func init() {
	register("rag", "Search of retrieval-augmented generation: a walk through a graph of vectors.",
		"Karpukhin et al., Dense passage retrieval, EMNLP 2020, section 4 (21,015,324 passages, 768 elements, search depth 128); Malkov and Yashunin, HNSW, TPAMI 2020, section 4.1",
		DefaultRAG(), func(s RAG) (*Program, error) {
			if err := positive([]string{"queries", "hops", "degree", "dim", "vectors"}, s.Queries, s.Hops, s.Degree, s.Dim, s.Vectors); err != nil {
				return nil, err
			}
			if err := steps(float64(s.Queries) * float64(s.Hops) * 2); err != nil {
				return nil, err
			}
			n, list, vector := uint64(s.Vectors), uint64(s.Degree)*4, uint64(s.Dim)*4
			p := &Program{Regions: []Region{{"graph", n * list}, {"vectors", n * vector}}, Items: s.Queries}
			for range s.Queries * s.Hops {
				p.Steps = append(p.Steps,
					Step{Name: "neighbours", Reads: []Read{{Region: 0, Count: 1, Bytes: list, Random: true}}},
					// difference, square, sum
					Step{Name: "distances", Reads: []Read{{Region: 1, Count: s.Degree, Bytes: vector, Random: true}}, Compute: 3 * float64(s.Degree*s.Dim)})
			}
			return p, nil
		})
}
