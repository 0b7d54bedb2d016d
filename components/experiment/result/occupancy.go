package result

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

// occupancy divides the compute cycles of array cores by activity. Cores that do not divide their
// cycles are left out.
type occupancy struct {
	useful, mapping, skew, vector float64
}

// occupied sums the parts of the cycles of all nodes that have them.
func occupied(ms []stats.Metric) (o occupancy) {
	type key struct{ where, name string }
	cycles := map[key]float64{}
	for _, m := range ms {
		if m.Phase == "all" && strings.HasSuffix(m.Name, "_cycles") {
			cycles[key{m.Where, m.Name}] = m.Value
		}
	}
	of := func(where, name string) float64 { return cycles[key{where, name}] }
	for _, m := range ms {
		if m.Name != "useful_cycles" || m.Phase != "all" || m.Where == "" {
			continue
		}
		vector := 0.0 // its cycles lie in the mapping loss
		if array, ok := cycles[key{m.Where, "array_cycles"}]; ok {
			vector = of(m.Where, "compute_cycles") - array
		}
		o.useful += m.Value
		o.mapping += of(m.Where, "mapping_loss_cycles") - vector
		o.skew += of(m.Where, "fill_cycles") + of(m.Where, "drain_cycles")
		o.vector += vector
	}
	return o
}

// InCompute is the sentence of cores that spend most cycles computing. It names the main activity
// of the array (useful work, mapping loss, fill and drain, or the vector unit), or the memory if
// cores wait longer for it.
func InCompute(ms []stats.Metric, layers *stats.Table, compute, memory float64) string {
	share := fmt.Sprintf("cores compute %.1f %% of their cycles and wait for memory %.1f %%", compute, memory)
	o := occupied(ms)
	total := o.useful + o.mapping + o.skew + o.vector
	if total == 0 {
		return "Compute is the bottleneck: " + share
	}
	filled := ""
	if o.mapping > 0 {
		filled = fmt.Sprintf("the array is %.0f%% filled", 100*o.useful/(o.useful+o.mapping))
		if layer, text, alone := emptiest(layers); text != "" && alone {
			filled += ": " + text
		} else if text != "" {
			filled += fmt.Sprintf(", at worst in layer %s: %s", layer, text)
		}
	}
	most := max(o.useful, o.mapping, o.skew, o.vector)
	// What the array loses is the bottleneck only where it takes longer than the memory.
	if most != o.useful && memory > compute*most/total {
		return fmt.Sprintf("Memory is the bottleneck: cores wait for it %.1f %% of their cycles and compute %.1f %%; the array does useful work in %.1f %% of the cycles of compute", memory, compute, 100*o.useful/total)
	}
	switch most {
	case o.useful:
		return fmt.Sprintf("Compute is the bottleneck: %s; the array does useful work in %.1f %% of them", share, 100*o.useful/total)
	case o.mapping:
		return "Mapping is the bottleneck: " + filled + "; " + share
	}
	if o.mapping > o.useful {
		share = filled + "; " + share
	}
	if o.skew >= o.vector {
		return fmt.Sprintf("Fill and drain of the array are the bottleneck: they take %.1f %% of the cycles of compute, useful work %.1f %%; %s", 100*o.skew/total, 100*o.useful/total, share)
	}
	return fmt.Sprintf("The vector unit is the bottleneck: it works alone in %.1f %% of the cycles of compute, the array does useful work in %.1f %%; %s", 100*o.vector/total, 100*o.useful/total, share)
}

// emptiest is the layer that loses most cycles of the array to its mapping, and which
// part of the array it fills; alone is true where all layers that lose any fill the
// same part.
func emptiest(t *stats.Table) (layer, filled string, alone bool) {
	if t == nil {
		return "", "", false
	}
	loss, text := t.Index("mapping_loss_cycles"), t.Index("filled")
	if loss < 0 || text < 0 {
		return "", "", false
	}
	alone = true
	worst := 0.0
	for _, row := range t.Each() {
		n, _ := row[loss].(float64)
		what, _ := row[text].(string)
		if what == "" || what == "all" || n <= 0 {
			continue
		}
		alone = alone && (filled == "" || filled == what)
		if n > worst {
			worst, layer, filled = n, fmt.Sprint(row[0]), what
		}
	}
	return layer, filled, alone
}
