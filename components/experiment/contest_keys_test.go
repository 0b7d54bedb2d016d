package experiment_test

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/components/experiment"
)

// Keys of which the mapper chooses the value unless it is given have a tag sets:"choice"; the others
// say what the machine, the data or the work is like. Those without named values have some to try
// in the tag try.

// A choice is a key that the mapper chooses, and the values that are tried.
type choice struct {
	path   string // mapping.split; mapping.layers.order; on_chip
	values []string
}

// choices lists the keys of a section with their values. Each key of which all values have names has
// to say what it sets, and all keys do if every is true.
func choices(t *testing.T, at reflect.Type, path string, every bool) (out []choice) {
	for f := range at.Fields() {
		key, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if strings.Contains(opts, "inline") {
			out = append(out, choices(t, f.Type, path, every)...)
		}
		if key == "" || key == "-" {
			continue
		}
		in := f.Type
		for in.Kind() == reflect.Slice {
			in = in.Elem()
		}
		what, values := f.Tag.Get("sets"), namedValues(f)
		switch what {
		case "machine", "data", "work", "program":
			continue
		case "choice":
		case "":
			if in.Kind() == reflect.Struct && (every || in.PkgPath() == at.PkgPath()) && values == nil {
				out = append(out, choices(t, in, path+key+".", every)...)
				continue
			}
			if every || values != nil {
				require.Fail(t, "key says not what it sets", "%s%s: want a tag sets:\"choice\" (the mapper chooses it, and the default has to be no slower than any value), \"machine\", \"data\", \"work\" or \"program\"", path, key)
			}
			continue
		default:
			require.Fail(t, "unknown tag", "%s%s sets %s", path, key, what)
		}
		if try := f.Tag.Get("try"); try != "" {
			values = strings.Split(try, " ")
		}
		require.NotEmpty(t, values, "%s%s: want a tag try with values", path, key)
		out = append(out, choice{path + key, values})
	}
	return out
}

// namedValues are the values of a key of which all have names.
func namedValues(f reflect.StructField) (out []string) {
	if f.Type.Kind() == reflect.Bool {
		return []string{"true", "false"}
	}
	of := f.Type
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if x, ok := reflect.Zero(of).Interface().(interface{ ConfigValues() []string }); ok {
		return x.ConfigValues()
	}
	for _, item := range strings.Split(f.Tag.Get("jsonschema"), ",") {
		if v, ok := strings.CutPrefix(item, "enum="); ok {
			out = append(out, v)
		}
	}
	return out
}

// settings are the values of a choice as --set takes them, for cores of a name.
func (c *choice) settings(core string) (out []string) {
	for _, v := range c.values {
		switch rule, ok := strings.CutPrefix(c.path, "mapping.layers."); {
		case ok:
			text := v
			for _, k := range slices.Backward(strings.Split(rule, ".")) {
				text = "{" + k + ": " + text + "}"
			}
			out = append(out, `mapping.layers=[{match: "*", `+text[1:len(text)-1]+`}]`)
		case strings.HasPrefix(c.path, "mapping."):
			out = append(out, c.path+"="+strings.ReplaceAll(v, "Core", core))
		default:
			out = append(out, core+"."+c.path+"="+v)
		}
	}
	return out
}

// systems are what every choice is tried on, each a part of an example or a core of a preset: one
// core with convolutions, decode and prefill, one of several that has a layer of words for itself,
// several cores before one memory and two, and small arrays.
var systems = []struct {
	file, text string
	set        []string
}{
	{file: "resnet18.yaml"},
	{file: "multicore.yaml", set: []string{"workload.layers=1", "cores=1"}},
	{file: "multicore.yaml", set: []string{"workload.layers=1"}},
	{file: "multicore.yaml", set: []string{"workload.layers=1", "cores=16"}},
	{file: "resnet50.yaml"},
	{file: "llama3_decode.yaml", set: []string{"workload.layers=0..0", "Core.fidelity=analytic"}},
	{file: "llama3_prefill.yaml", set: []string{"workload.layers=0..0", "workload.sequence=512"}},
	{file: "multicore_network.yaml", set: []string{"workload.layers=1"}},
	{file: "resnet50_dram.yaml"},
	{text: alone("{model: sd15_unet, image: 128, dtype: int8}", "overlap: {preload: true, drain: true}, sram: {ifmap: 1MiB, filter: 1MiB, ofmap: 1MiB}")},
	{text: alone("{model: bert_base, sequence: 64, layers: 1}", "preset: tpu_v1_core")},
	{text: alone("{model: bert_base, sequence: 64, layers: 1, dtype: bf16}", "preset: tpu_v4_core")},
	{text: alone("{model: mobilenet_v2}", "dataflow: os, rows: 32, cols: 32, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}")},
}

func alone(workload, core string) string {
	return "schema: causeway/1\nworkload: " + workload + "\nnodes:\n  - {name: Core, kind: systolic, fidelity: analytic, " + core + "}\n" +
		"  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 64GB/s}\nlinks: [Core -> Mem]\n"
}

// The default is no slower than any single value of any key that the mapper chooses, within 1%. The
// keys and their values are those of the sections: a new one is tried too. CAUSEWAY_LONG asks for all
// values on all systems; else sizes of tiles are every seventh, and the systems the first three. A value
// that a system refuses is none of its choices, and each key has one that some system takes.
func TestTheDefaultIsNoSlowerThanAnyValueOfAnyKey(t *testing.T) {
	all := choices(t, reflect.TypeFor[mapping.Spec](), "mapping.", true)
	all = append(all, choices(t, reflect.TypeFor[systolic.Spec](), "", false)...)
	require.Greater(t, len(all), 12)
	long := os.Getenv("CAUSEWAY_LONG") != ""
	worst, tried, taken := 0.0, 0, map[string]bool{}
	for i, m := range systems {
		if !long && i > 2 {
			break
		}
		run := func(set ...string) (float64, error) {
			o := experiment.Options{Set: append(slices.Clone(m.set), set...)}
			var x *experiment.Experiment
			var err error
			if m.text != "" {
				x, err = experiment.Parse("c.yaml", []byte(m.text), o)
			} else {
				x, err = experiment.Load("../../configs/examples/"+m.file, o)
			}
			if err != nil {
				return 0, err
			}
			r, _, err := x.Run(context.Background(), nil)
			if err != nil {
				return 0, err
			}
			v, ok := r.Metric("", "total_time")
			require.True(t, ok)
			return v.Value, nil
		}
		what := fmt.Sprint(m.file, m.text, m.set)
		before, err := run()
		require.NoError(t, err, what)
		n := i
		for _, c := range all {
			for _, set := range c.settings("Core") {
				if n++; !long && len(c.values) > 8 && n%7 != 0 {
					continue
				}
				after, err := run(set)
				if err != nil {
					require.Regexp(t, "mapping|Core", err.Error(), "%s %s", what, set)
					continue
				}
				taken[c.path] = true
				tried++
				if q := before / after; q > worst {
					worst = q
					t.Logf("%.4f %s, %s", q, set, what)
				}
				assert.LessOrEqual(t, before/after, 1.01, "%s, %s", set, what)
			}
		}
	}
	for _, c := range all {
		require.True(t, taken[c.path], "no system takes a value of %s", c.path)
	}
	t.Logf("%d settings of %d keys, worst ratio %.4f", tried, len(all), worst)
}
