package remote

import (
	"encoding/json"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// A Response is one line of JSON to a client.
type Response struct {
	ID       json.RawMessage    `json:"id,omitempty"`
	Error    string             `json:"error,omitempty"`
	Status   result.Status      `json:"status,omitempty"`
	Identity string             `json:"identity,omitempty"`
	Metrics  map[string]float64 `json:"metrics,omitempty"` // by key, as columns of sweep.csv
	Full     *FullResult        `json:"full,omitempty"`
	Points   []AskedPoint       `json:"points,omitempty"`
	Wait     bool               `json:"wait,omitempty"` // ask: no point until outcomes of open points arrive
	Done     bool               `json:"done,omitempty"` // ask: the search has ended
	About    any                `json:"about,omitempty"`
}

// FullResult is the full result of a run, with units, layers and series.
type FullResult struct {
	Sentence string         `json:"sentence,omitempty"` // the main cause of the time
	Metrics  []stats.Metric `json:"metrics"`
	Layers   *FullTable     `json:"layers,omitempty"`
	Series   *FullTable     `json:"series,omitempty"`
}

// A FullTable is a stats.Table in JSON.
type FullTable struct {
	Columns []string `json:"columns"`
	Units   []string `json:"units"`
	Rows    [][]any  `json:"rows"`
}

// NewFullTable returns the table in JSON, or nil if there is no table.
func NewFullTable(t *stats.Table) *FullTable {
	if t == nil {
		return nil
	}
	out := &FullTable{Rows: t.Held().Rows}
	for _, c := range t.Columns {
		out.Columns, out.Units = append(out.Columns, c.Name), append(out.Units, string(c.Unit))
	}
	return out
}

// An AskedPoint is a point to evaluate, with its settings.
type AskedPoint struct {
	Point  int               `json:"point"`
	Set    map[string]string `json:"set"`
	Values []float64         `json:"values,omitempty"` // front: of the objectives, in their order
}
