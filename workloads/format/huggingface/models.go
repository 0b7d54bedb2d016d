package huggingface

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format"
)

// models are the configurations of published models, one a line, with the paths that have it.
// Keys that change no graph are left out. quantization is the value of quantization_config of a path, as
// short as its meaning allows; method "unknown" stands where a checkpoint has one that was not at hand.
//
//go:embed models.jsonl
var models []byte

func init() {
	for line := range bytes.Lines(models) {
		var m struct {
			Paths        []string                   `json:"paths"`
			Config       json.RawMessage            `json:"config"`
			Quantization map[string]json.RawMessage `json:"quantization"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			panic("huggingface: models.jsonl: " + err.Error())
		}
		for _, p := range m.Paths {
			config := m.Config
			if q := m.Quantization[p]; q != nil {
				config = slices.Concat(config[:len(config)-1], []byte(`,"quantization_config":`), q, []byte("}"))
			}
			format.AddModel(p, config)
		}
	}
}
