package systolic

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func init() {
	configs.RegisterSchema[mapping.Rate](configs.Schema{"anyOf": []any{
		configs.Schema{"type": "number", "exclusiveMinimum": 0, "maximum": mapping.MaxRate},
		configs.Schema{"type": "string", "pattern": `^[0-9]+/[0-9]+$`}}})
	configs.RegisterSchema[graph.Pattern](configs.Schema{"type": "string", "pattern": `^[0-9]+:[0-9]+$`})
}

// peFaults are keys of pe that name no element type.
func peFaults(s *Spec, v configs.Value) (errs configs.Errors) {
	for _, name := range s.PE.Unknown() {
		errs = append(errs, v.Place("pe").UnknownKey(name, graph.DTypeNames()))
	}
	return errs
}

// peak is the multiply-accumulates per cycle of the array for products of the fastest
// element type that it has carried out; of rate 1 before there are any.
func (k *core) peak() float64 {
	rate := 0.0
	for i := range k.layers {
		if p := k.layers[i].job.Plan; p != nil && p.Matrix {
			rate = max(rate, p.Rate().Float())
		}
	}
	if rate == 0 {
		rate = 1
	}
	return rate * float64(k.spec.Rows) * float64(k.spec.Cols)
}

// lacks says which products of a graph the arrays do not take.
func (k *Kernel) lacks(g *graph.Graph) error {
	if err := k.spec.PE.Lacks(g); err != nil {
		return fmt.Errorf("%s: %w", k.Name(), err)
	}
	return nil
}

// Sparsity implements work.Sparse.
func (k *core) Sparsity() graph.Pattern { return k.spec.Sparsity }

// Sparsity implements work.Sparse.
func (k *Kernel) Sparsity() graph.Pattern { return k.spec.Sparsity }

// peakColumn is in the layer table where the key pe gives rates.
var peakColumn = stats.Column{Name: "peak_macs", Unit: stats.One, Text: "Multiply-accumulates per cycle that the array does at most, of the data type of the products."}

// peakCell is the cell of an operator whose products have a rate on so many elements;
// nil where it has no products.
func peakCell(rate, elements float64) any {
	if rate == 0 {
		return nil
	}
	return rate * elements
}
