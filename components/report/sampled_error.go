package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
)

// SampledErrorName is the file with the table of run --sampled-error.
const SampledErrorName = "sampled_error.csv"

// What a sampled run is held against a full run by: figures of time and energy, and bytes, which
// are summed over the elements of an array.
var (
	sampledFigures = []string{"total_time", "energy", "energy_per_token", "ttft_mean", "tpot_mean", "request_latency_mean"}
	sampledBytes   = []string{"read_bytes", "write_bytes", "transfer_bytes", "bytes_delivered"}
)

// roundingPercent is less than any error but that of adding up in another order.
const roundingPercent = 1e-9

// SampledError is the table of a small case run sampled and in full, with errors in percent of the
// full run's value (nothing where that is 0 and the other is not), and a sentence that says what
// the case was and how far it is off.
func SampledError(e *experiment.SampledError) (t *stats.Table, sentence string) {
	t = &stats.Table{Columns: []stats.Column{{Name: "where"}, {Name: "name"}, {Name: "unit"}, {Name: "full", Unit: stats.One}, {Name: "sampled", Unit: stats.One}, {Name: "error_percent", Unit: stats.One}}}
	full, order := sampledValues(e.Full.Metrics)
	some, _ := sampledValues(e.Sampled.Metrics)
	worst, most := "", 0.0
	var said []string
	for _, m := range order {
		a, b := full[m], some[m]
		if a == 0 && b == 0 {
			continue
		}
		var off any
		if by := 100 * (b - a) / a; !math.IsInf(by, 0) {
			if math.Abs(by) < roundingPercent {
				by = 0
			}
			off = by
			if math.Abs(by) > most {
				worst, most = strings.TrimSpace(m.where+" "+m.name), math.Abs(by)
			}
			if m.where == "" || m.name == "ttft_mean" || m.name == "tpot_mean" {
				said = append(said, fmt.Sprintf("%s %.2g %%", m.name, math.Abs(by)))
			}
		}
		t.Append(m.where, m.name, m.unit, a, b, off)
	}
	sentence = fmt.Sprintf("A small case (%s), run in full and sampled (--sampled-error), which took %s as equal, is off by: %s", e.Case, times(e.Taken), strings.Join(said, ", "))
	if worst != "" {
		sentence += fmt.Sprintf("; %s by most, %.2g %%", worst, most)
	}
	return t, sentence + "."
}

// times says how often layers or steps were taken as equal.
func times(n uint64) string {
	switch n {
	case 0:
		return "nothing"
	case 1:
		return "layers or a step once"
	}
	return fmt.Sprintf("layers or a step %d times", n)
}

// A sampledFigure is a figure by which sampled and full are compared.
type sampledFigure struct{ where, name, unit string }

// sampledValues are the figures of a run, and their order: the whole before the nodes.
func sampledValues(ms []stats.Metric) (out map[sampledFigure]float64, order []sampledFigure) {
	out = map[sampledFigure]float64{}
	for _, m := range ms {
		bytes := slices.Contains(sampledBytes, m.Name)
		if m.Phase != "all" || !bytes && !(slices.Contains(sampledFigures, m.Name) && (m.Where == "" || !strings.HasPrefix(m.Name, "energy") && m.Name != "total_time")) {
			continue
		}
		where, element := arrayOf(m.Where)
		if element && !bytes {
			continue
		}
		k := sampledFigure{where, m.Name, string(m.Unit)}
		if _, ok := out[k]; !ok {
			order = append(order, k)
		}
		out[k] += m.Value
	}
	return out, order
}
