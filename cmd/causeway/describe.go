package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/studies"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/catalogue"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

func describeCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "describe NAME|PATH|METRIC|UNIT",
		Short: "Explain something built in, a key, a metric or a unit",
		Long: "Say what a built-in thing does, where its behaviour is taken from, and which keys it accepts; or what a\n" +
			"key of a configuration, a metric or a unit means. Of DRAM it prints every timing, command and constraint.",
		Example: "  causeway describe systolic/tile\n  causeway describe Core.sram.ifmap\n  causeway describe stall_store_cycles\n  causeway describe GB/s",
		Args:    command.Wants("NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			name := args[0]
			a := about{Items: catalogue.Find(name)}
			a.grade, _ = standard.Find(name)
			if len(a.Items) == 0 && a.grade == nil {
				a.Keys = catalogue.FindKey(name)
				a.Unit = unitText(name)
			}
			if len(a.Items) == 0 && a.Unit == "" && a.grade == nil {
				var err error
				if a.Metrics, a.near, err = findMetric(name, len(a.Keys) > 0); err != nil {
					return command.ExitWith(command.ExitInternal, err)
				}
			}
			if len(a.Items)+len(a.Keys)+len(a.Metrics) == 0 && a.Unit == "" && a.grade == nil {
				return command.BadInput(unknownName(name, a.near))
			}
			if asJSON {
				return command.PrintJSON(c, a)
			}
			a.print(c.OutOrStdout(), name)
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, s := range catalogue.All() {
				for _, it := range s.Items {
					out = append(out, it.Name)
				}
			}
			return append(out, catalogue.KeyNames()...), cobra.ShellCompDirectiveNoFileComp
		},
	}
	command.AddJSON(c, &asJSON)
	return c
}

// about is all that a name may mean.
type about struct {
	Items   []catalogue.Item  `json:"items,omitempty"`
	Keys    []catalogue.KeyOf `json:"keys,omitempty"`
	Metrics []metricOf        `json:"metrics,omitempty"`
	Unit    string            `json:"unit,omitempty"`
	near    string
	grade   *standard.Grade // nil: no DRAM is called so
}

// A metricOf is a metric with the example in which it is found first.
type metricOf struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Text    string `json:"text"`
	Example string `json:"example"`
}

func (a about) print(w io.Writer, name string) {
	for i, it := range a.Items {
		if i > 0 {
			fmt.Fprintln(w)
		}
		// The fidelities of a kind often have the same keys.
		describe(w, it, i > 0 && reflect.DeepEqual(it.Keys, a.Items[i-1].Keys))
	}
	if g := a.grade; g != nil {
		fmt.Fprintf(w, "\n%s (grade of DRAM, clock %s)\n%s\nConstraints: %s\n", g.Name, g.Clock, g.Source, g.Standard)
		report.Table(w, g.Timings())
		report.Table(w, g.Commands())
		report.Table(w, g.Table())
	}
	if a.Unit != "" {
		fmt.Fprintf(w, "%s (unit)\n%s\n", name, a.Unit)
	}
	if len(a.Keys) > 0 {
		fmt.Fprintf(w, "%s (key)\n", name)
		t := &stats.Table{Columns: []stats.Column{{Name: "of"}, {Name: "key"}, {Name: "default"}, {Name: "type"}, {Name: "meaning"}}}
		for _, k := range a.Keys {
			t.Append(k.Item, k.Path, k.Default, k.Type, keyText(k.Key))
		}
		report.Table(w, t)
	}
	for _, m := range a.Metrics {
		fmt.Fprintf(w, "%s (metric, in %s; seen in configs/examples/%s)\n%s\n", m.Name, m.Unit, m.Example, m.Text)
	}
}

// keyText is what a key means, with what it accepts.
func keyText(k schema.Key) string {
	doc := k.Doc
	if words := slices.Concat(k.Values, k.Names); len(words) > 0 {
		doc += " (one of: " + strings.Join(words, ", ") + ")"
	} else if k.Range != "" {
		doc += " (" + k.Range + ")"
	}
	return strings.TrimSpace(doc)
}

// unknownName is the error of a name that means nothing.
func unknownName(name, metric string) error {
	candidates := []string{catalogue.Nearest(name), configs.Nearest(name, catalogue.KeyNames()), metric}
	if near := configs.Nearest(name, candidates); near != "" {
		return fmt.Errorf("nothing is called %q; did you mean %q? (`causeway list` lists all)", name, near)
	}
	return fmt.Errorf("nothing is called %q (`causeway list` lists all)", name)
}

// findMetric looks a metric up in the built-in examples, which have nodes of most kinds:
// metrics are declared by nodes as they are built. A network on one core is the first. A name that is
// also a key is looked up there alone. Where@phase and node names are left out.
func findMetric(name string, key bool) (found []metricOf, near string, err error) {
	name, _, _ = strings.Cut(name, "@")
	name = name[strings.LastIndexByte(name, '.')+1:]
	root, err := studies.Unpack()
	defer os.RemoveAll(root)
	if err != nil {
		return nil, "", err
	}
	files, err := configs.Library.ReadDir("examples")
	if err != nil {
		return nil, "", err
	}
	slices.SortStableFunc(files, func(a, b fs.DirEntry) int {
		switch firstExample {
		case a.Name():
			return -1
		case b.Name():
			return 1
		}
		return 0
	})
	var all []string
	for _, f := range files {
		x, err := experiment.Load(filepath.Join(root, "configs", "examples", f.Name()), experiment.Options{})
		if f.IsDir() || err != nil {
			continue // a folder, a sweep, or one that reads files of others
		}
		for _, m := range x.Declared() {
			if all = append(all, m.Name); m.Name != name {
				continue
			}
			if !slices.ContainsFunc(found, func(o metricOf) bool { return o.Text == m.Text && o.Unit == string(m.Unit) }) {
				found = append(found, metricOf{m.Name, string(m.Unit), m.Text, f.Name()})
			}
		}
		if len(found) > 0 || key {
			break
		}
	}
	return found, configs.Nearest(name, all), nil
}

// firstExample is where metrics are looked up first.
const firstExample = "resnet18.yaml"

// unitTexts are the units of values and of metrics.
var unitTexts = map[string]string{
	"B": "Byte.", "KiB": "1,024 bytes.", "MiB": "1,024 KiB.", "GiB": "1,024 MiB.", "TiB": "1,024 GiB.", "KB": "1,000 bytes.", "MB": "10^6 bytes.", "GB": "10^9 bytes.", "TB": "10^12 bytes.",
	"Hz": "Cycles per second.", "kHz": "10^3 Hz.", "MHz": "10^6 Hz.", "GHz": "10^9 Hz.",
	"ps": "10^-12 s.", "ns": "10^-9 s.", "us": "10^-6 s.", "ms": "10^-3 s.", "s": "Second.",
	"B/s": "Bytes per second.", "KB/s": "10^3 bytes per second.", "MB/s": "10^6 bytes per second.", "GB/s": "10^9 bytes per second.", "TB/s": "10^12 bytes per second.", "bit/s": "Bits per second; 8 are 1 B/s.", "Gbit/s": "10^9 bits per second.",
	"FLOP/s": "Floating-point operations per second; a multiply-accumulate is two.", "GFLOP/s": "10^9 FLOP/s.", "TFLOP/s": "10^12 FLOP/s.", "PFLOP/s": "10^15 FLOP/s.",
	"cycle": "A period of the node's own clock.", "flit": "Flow control unit: what a channel of a network carries per cycle.", "flit/node/cycle": "Flits that a terminal injects or receives per cycle, 1 being all that its channel carries.",
	"request": "A memory request, of any size.", "token": "A token of a language model.", "1/s": "Per second, of what the metric counts.", "pJ": "10^-12 J.", "pJ/token": "Energy for each token.", "mm2": "Square millimetre of silicon.",
	"USD": "US dollar.", "g": "Gram of CO2, and of other gases as much as warms like it.",
	"1": "A count, or a ratio of equal units.", "%": "Per cent.", "J": "Joule.", "W": "Watt.", "C": "Degree Celsius.",
}

func unitText(name string) string { return unitTexts[name] }
