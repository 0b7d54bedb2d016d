package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// maxChanged is how many settings a sentence names.
const maxChanged = 3

// sentence says in one sentence what changed from a to b and what it did.
func sentence(a, b *result.Result) string {
	did := effect(a, b)
	if move := moved(a.Metrics, b.Metrics); move != "" {
		did += "; " + move
	}
	return changes(a.Config, b.Config) + ": " + did + "."
}

// effect says how much faster b is; where the time is not what a reader asks for first, what
// the first metric of those that differs went to.
func effect(a, b *result.Result) string {
	for _, h := range a.Headlines() {
		phase := cmp.Or(h.Phase, "all")
		x, ok := a.MetricIn(phase, h.Where, h.Metric)
		y, both := b.MetricIn(phase, h.Where, h.Metric)
		switch {
		case !ok || !both:
			continue
		case (h.Metric == system.TotalTime || h.Metric == system.StepTime) && h.Where == "" && x.Value > 0 && y.Value > 0:
			return speed(x.Value / y.Value)
		case x.Value == y.Value:
			continue
		}
		what := h.Label
		if h.Where != "" {
			what += " of " + h.Where
		}
		return fmt.Sprintf("%s went from %s to %s", what, Human(x.Value, x.Unit), Human(y.Value, y.Unit))
	}
	return "nothing differs that a reader asks for first"
}

// speed is a ratio of times in words.
func speed(ratio float64) string {
	switch {
	case math.Abs(ratio-1) < 5e-4:
		return "as fast"
	case ratio > 1:
		return timesOf(ratio) + " faster"
	}
	return timesOf(1/ratio) + " slower"
}

// timesOf prints a ratio above 1: 1.7x, and 1.004x where it is close to 1.
func timesOf(ratio float64) string {
	if ratio < 1.05 {
		return fmt.Sprintf("%.3fx", ratio)
	}
	return fmt.Sprintf("%.2gx", ratio)
}

// moved names the cause of cycles whose share changed most, by a point at least: what cores
// wait for, since computing is what is left.
func moved(a, b []stats.Metric) string {
	x, y := shares(a), shares(b)
	best, most := "", 1.0
	for _, c := range stats.Causes {
		if d := math.Abs(y[c.Metric] - x[c.Metric]); c.Words != "" && c.Metric != stats.ComputeCycles && d >= most {
			most = d
			best = fmt.Sprintf("%s went from %.0f to %.0f %% of the cycles", c.Words, x[c.Metric], y[c.Metric])
		}
	}
	return best
}

// shares are the causes of the cycles of all cores, in percent.
func shares(ms []stats.Metric) map[string]float64 {
	out, total := map[string]float64{}, 0.0
	for _, c := range stats.Causes {
		if c.Words == "" {
			continue
		}
		for _, m := range ms {
			if m.Name == c.Metric && m.Phase == "all" && m.Where != "" {
				out[c.Metric] += m.Value
				total += m.Value
			}
		}
	}
	for k := range out {
		out[k] *= 100 / max(total, 1)
	}
	return out
}

// A change is a setting that differs between two configurations, with its values; nil where one has it not.
type change struct {
	path          string
	before, after *string
}

// changed lists the settings that differ between two resolved configurations.
func changed(a, b []byte) (out []change) {
	before, keys := flat(a)
	after, more := flat(b)
	for _, k := range keys {
		was := before[k]
		switch v, ok := after[k]; {
		case !ok:
			out = append(out, change{k, &was, nil})
		case v != was:
			out = append(out, change{k, &was, &v})
		}
	}
	for _, k := range more {
		if _, ok := before[k]; !ok {
			v := after[k]
			out = append(out, change{k, nil, &v})
		}
	}
	return out
}

// changes names the settings that differ between two resolved configurations.
func changes(a, b []byte) string {
	text := func(value *string) string {
		if value == nil {
			return "unset"
		}
		return *value
	}
	var list []string
	for _, c := range changed(a, b) {
		list = append(list, c.path+" "+text(c.before)+" -> "+text(c.after))
	}
	switch n := len(list); {
	case n == 0:
		return "Equal configurations"
	case n > maxChanged:
		return fmt.Sprintf("%s and %d more settings", strings.Join(list[:maxChanged], ", "), n-maxChanged)
	}
	return strings.Join(list, ", ")
}

// flat is a configuration as values by path, in the order of the file: Core.rows. Nodes are
// called by their names, and a mapping with a name has it as its own value: a policy is the same
// with settings as without.
func flat(config []byte) (values map[string]string, paths []string) {
	values = map[string]string{}
	var root yaml.Node
	if yaml.Unmarshal(config, &root) != nil || len(root.Content) == 0 {
		return values, nil
	}
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if key := n.Content[i].Value; key == "name" && path != "" {
					walk(n.Content[i+1], path)
				} else {
					walk(n.Content[i+1], join(path, key))
				}
			}
		case yaml.SequenceNode:
			for i, x := range n.Content {
				name := named(x)
				switch {
				case name != "" && path == "nodes":
					walk(x, name)
				case name != "":
					walk(x, join(path, name))
				default:
					walk(x, fmt.Sprintf("%s[%d]", path, i))
				}
			}
		default:
			if _, ok := values[path]; !ok {
				paths = append(paths, path)
			}
			values[path] = n.Value
		}
	}
	walk(root.Content[0], "")
	return values, paths
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// named is the name of an item of a list, "" where it has none.
func named(n *yaml.Node) string {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "name" && n.Content[i+1].Kind == yaml.ScalarNode {
			return n.Content[i+1].Value
		}
	}
	return ""
}
