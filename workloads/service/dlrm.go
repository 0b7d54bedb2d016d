package service

// DLRM is inference of a recommendation model: each sample reads a row of each table, then the
// interaction and the top layers are computed.
type DLRM struct {
	Batches int `yaml:"batches" jsonschema:"minimum=1" doc:"Batches, one after the other"`
	Batch   int `yaml:"batch" jsonschema:"minimum=1" doc:"Samples of a batch"`
	Tables  int `yaml:"tables" jsonschema:"minimum=1" doc:"Tables; a sample looks up a row of each"`
	Dim     int `yaml:"dim" jsonschema:"minimum=1" doc:"Elements of a row (fp32)"`
	Rows    int `yaml:"rows" jsonschema:"minimum=1" doc:"Rows of all tables"`
}

// DefaultDLRM is the model of MLPerf Inference on Criteo Terabyte.
//
// assumption: batches of 128. Rows are those of tables cut at 40 million, 104 GB.
func DefaultDLRM() DLRM { return DLRM{Batches: 4, Batch: 128, Tables: 26, Dim: 128, Rows: 204184588} }

// layers of MLPerf's model, below the interaction and above it.
var bottom, above = []int{13, 512, 256}, []int{1024, 1024, 512, 256, 1}

func init() {
	register("dlrm", "Inference of a recommendation model: rows of large tables, then small layers.",
		"Naumov et al., DLRM, arXiv 1906.00091; Reddi et al., MLPerf Inference, ISCA 2020 (Criteo Terabyte, 26 tables, 128 elements, layers 512-256-128 and 1024-1024-512-256-1)",
		DefaultDLRM(), func(s DLRM) (*Program, error) {
			if err := positive([]string{"batches", "batch", "tables", "dim", "rows"}, s.Batches, s.Batch, s.Tables, s.Dim, s.Rows); err != nil {
				return nil, err
			}
			if err := steps(float64(s.Batches)); err != nil {
				return nil, err
			}
			macs, last := 0, 0
			layers := func(widths ...int) {
				for _, w := range widths {
					macs += last * w
					last = w
				}
			}
			layers(bottom...)
			layers(s.Dim)
			pairs := (s.Tables + 1) * s.Tables / 2 // of rows and the dense vector
			macs += pairs * s.Dim
			last = pairs + s.Dim
			layers(above...)
			row, weights := uint64(s.Dim)*4, uint64(macs-pairs*s.Dim)*4
			p := &Program{Regions: []Region{{"layers", weights}, {"tables", uint64(s.Rows) * row}}, Items: s.Batches * s.Batch}
			for range s.Batches {
				p.Steps = append(p.Steps, Step{
					Name: "batch", Free: true, Compute: 2 * float64(macs) * float64(s.Batch),
					Reads: []Read{{Region: 0, Count: 1, Bytes: weights}, {Region: 1, Count: s.Batch * s.Tables, Bytes: row, Random: true}},
				})
			}
			return p, nil
		})
}
