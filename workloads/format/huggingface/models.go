package huggingface

import (
	"bytes"
	_ "embed"
	"encoding/json"

	"github.com/causeway-sim/causeway/workloads/format"
)

// models are the configurations of published models, one a line, with the paths that have it.
// Keys that change no graph are left out.
//
//go:embed models.jsonl
var models []byte

func init() {
	for line := range bytes.Lines(models) {
		var m struct {
			Paths  []string        `json:"paths"`
			Config json.RawMessage `json:"config"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			panic("huggingface: models.jsonl: " + err.Error())
		}
		for _, p := range m.Paths {
			format.AddModel(p, m.Config)
		}
	}
}
