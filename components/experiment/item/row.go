package item

import (
	"strings"

	"github.com/causeway-sim/causeway/components/chain"
	"github.com/causeway-sim/causeway/components/stats"
)

// rowWords are the words for columns of layers.csv that are parts of a layer's cycles.
var rowWords = map[string]string{
	"compute_cycles":          "computes",
	"stall_wait_ifmap_cycles": "waits for input data", "stall_wait_filter_cycles": "waits for weights",
	"stall_wait_ofmap_cycles": "waits for partial sums", "stall_store_cycles": "stores results",
	"stall_dependency_cycles": "waits for another core",
	"stall_memory_cycles":     "waits for memory", "stall_latency_cycles": "latencies inside the kernel",
	"stall_overhead_cycles": "launches the kernel",
	"useful_cycles":         "multiplies and adds", "mapping_loss_cycles": "on parts of the array without operands",
	"fill_cycles": "fills the array", "drain_cycles": "drains the array",
}

// arrayColumns divide compute_cycles.
var arrayColumns = []string{"useful_cycles", "mapping_loss_cycles", "fill_cycles", "drain_cycles"}

// A row is a row of layers.csv.
type row struct {
	*stats.Table
	at   int
	made []any
}

// cells are those of the row, made once.
func (r *row) cells() []any {
	if r.made == nil {
		r.made = r.Row(r.at)
	}
	return r.made
}

func (r *row) text(column string) string {
	if i := r.Index(column); i >= 0 {
		s, _ := r.cells()[i].(string)
		return s
	}
	return ""
}

// number is a cell as a number; ok is false where there is none.
func (r *row) number(column string) (v float64, ok bool) {
	i := r.Index(column)
	if i < 0 {
		return 0, false
	}
	switch x := r.cells()[i].(type) {
	case float64:
		return x, true
	case uint64:
		return float64(x), true
	case int64:
		return float64(x), true
	case int:
		return float64(x), true
	}
	return 0, false
}

// cycles are the begin and the length of the layer.
func (r *row) cycles() (start, n uint64, ok bool) {
	a, ok1 := r.number("start")
	b, ok2 := r.number("cycles")
	return uint64(a), uint64(b), ok1 && ok2
}

// computing divides the time of computing among activities of the array; the rest is the vector
// unit.
func (r *row) computing() (out []chain.Share) {
	left, _ := r.number("compute_cycles")
	for _, c := range arrayColumns {
		if v, _ := r.number(c); v > 0 {
			out = append(out, chain.Share{What: rowWords[c], Weight: v})
			left -= v
		}
	}
	if len(out) > 0 && left > 0.5 {
		out = append(out, chain.Share{What: "in the vector unit", Weight: left})
	}
	return out
}

// shares divide the whole layer, by its columns of cycles.
func (r *row) shares() (out []chain.Share) {
	for _, c := range r.Columns {
		if c.Name != "compute_cycles" && !strings.HasPrefix(c.Name, "stall_") {
			continue
		}
		v, _ := r.number(c.Name)
		if v <= 0 {
			continue
		}
		what, ok := rowWords[c.Name]
		if !ok {
			what = strings.ReplaceAll(strings.TrimSuffix(c.Name, "_cycles"), "_", " ")
		}
		s := chain.Share{What: what, Weight: v}
		if c.Name == "compute_cycles" {
			s.Parts = r.computing()
		}
		out = append(out, s)
	}
	return out
}
