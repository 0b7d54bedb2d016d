package offload

// DLRM is inference of a recommendation model: the device looks up and sums embeddings, the host
// runs the top layers. The number of rows (a million in the publication) does not matter, since
// rows are not cached.
type DLRM struct {
	Dim     int `yaml:"dim" jsonschema:"minimum=1,maximum=100000" doc:"Elements of a row (fp32)"`
	Lookups int `yaml:"lookups" jsonschema:"minimum=1,maximum=100000" doc:"Rows that a sample looks up"`
	Batch   int `yaml:"batch" jsonschema:"minimum=1,maximum=1000000" doc:"Samples of a launch"`
	Batches int `yaml:"batches" jsonschema:"minimum=1,maximum=100000" doc:"Launches"`
}

func init() {
	register("dlrm", "DLRM: embedding sums on the device, top layers on the host.", source+" (Criteo); arXiv 1906.00091",
		DLRM{256, 26, 256, 1}, dlrm)
}

func dlrm(s DLRM, _ uint64) (Program, error) {
	d, n := uint64(s.Dim), uint64(s.Lookups)
	top := d*512 + 512*256 + 256 // weights of the top MLP 512-256-1, which are cached
	return Program{{
		Name: "embeddings", Repeat: s.Batches, Argument: uint64(s.Batch) * n * float,
		Tasks: s.Batch, Result: d * float,
		// Per element an addition and half a load of 8 B.
		Task: Cost{Ops: n*d*3/2 + setup, Read: n * (d + 1) * float},
		Host: Cost{Ops: (top + lanes - 1) / lanes, Read: d * float},
	}}, nil
}
