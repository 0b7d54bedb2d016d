package scalesim

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/table"
)

func init() {
	importer.All.Add(importer.Entry{
		Name:   "scalesim",
		Doc:    "SCALE-Sim v3: a .cfg, with its topology file (--topology).",
		Source: "github.com/scalesim-project/SCALE-Sim, commit 1d62b68",
		New:    Format,
	})
}

// Format reads configurations of SCALE-Sim.
var Format = importer.Format{Title: "SCALE-Sim", Keys: keys, Topology: true, Recognise: recognise, Convert: convert, Unknown: "SCALE-Sim ignores them"}

// recognise looks for the section that every .cfg has.
func recognise(f importer.File) bool {
	for line := range strings.Lines(f.Text) {
		if strings.TrimSpace(line) == "[architecture_presets]" {
			return true
		}
	}
	return false
}

func convert(in *importer.Input, r *importer.Reader, d *importer.Draft) error {
	cfg, err := in.Only("SCALE-Sim .cfg (with [architecture_presets])", recognise)
	if err != nil {
		return err
	}
	r.Fold()
	if err := read(cfg, r); err != nil {
		return err
	}
	topology, err := layers(in, cfg, r)
	if err != nil {
		return err
	}
	d.Section("workload").Set("file", in.Refer(topology.Text), topology.From())
	core := d.Node("Core", "systolic")
	mode := r.Get("InterfaceBandwidth", "CALC")
	core.From("timing", "scalesim", mode)
	if mode.Text == "USER" {
		r.Leave(mode, "cycles are those of CALC: %s", stalls)
	} else {
		r.LeaveKey("Bandwidth", "the tool does not read it with InterfaceBandwidth CALC")
	}
	for _, x := range [][2]string{{"ArrayHeight", "rows"}, {"ArrayWidth", "cols"}} {
		v := r.Get(x[0], "4")
		core.From(x[1], v.Int(), v)
	}
	flow := r.Get("Dataflow", "ws")
	if name, ok := flow.Choice(map[string]string{"os": "os", "ws": "ws", "is": "is"}); ok {
		core.From("dataflow", name, flow)
	}
	for _, x := range [][3]string{{"IfmapSramSzkB", "ifmap", "256"}, {"FilterSramSzkB", "filter", "256"}, {"OfmapSramSzkB", "ofmap", "128"}} {
		v := r.Get(x[0], x[2])
		core.From("sram."+x[1], fmt.Sprintf("%dKiB", v.Int()), v)
	}
	return sparsity(topology.Text, r)
}

// read adds the settings of a .cfg, a file as Python's configparser reads it.
func read(f importer.File, r *importer.Reader) error {
	n := 0
	for line := range strings.Lines(f.Text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") || strings.HasPrefix(line, "[") {
			continue
		}
		at := strings.IndexAny(line, ":=")
		if at < 0 {
			return fmt.Errorf("%s:%d: %q is not KEY: VALUE", f.Path, n, line)
		}
		r.Add(fmt.Sprintf("%s:%d", f.Path, n), strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+1:]))
	}
	return nil
}

// layers finds the topology file: the one that was given, the one that the .cfg names, or the only
// one in its folder.
func layers(in *importer.Input, cfg importer.File, r *importer.Reader) (importer.Value, error) {
	v := r.Get("TopologyCsvLoc", "")
	named := strings.Trim(v.Text, `"`)
	path := importer.Named(cfg.Path, named)
	switch {
	case in.Topology != "":
		return importer.External("--topology", in.Topology), check(in.Topology)
	case named != "":
		v.Text = path
		return v, check(path)
	}
	near, err := importer.Open(filepath.Dir(cfg.Path))
	if err != nil {
		return v, err
	}
	near.Add(in.Files...)
	f, err := near.Only("topology file in the folder of "+cfg.Path+" (give it with --topology FILE)", func(f importer.File) bool {
		return strings.HasSuffix(f.Path, ".csv") && check(f.Path) == nil
	})
	return importer.External("topology file in the folder of the .cfg", f.Path), err
}

// check reports whether a file is a topology.
func check(path string) error {
	_, err := table.ScaleSimLayers(path, format.Options{})
	return err
}

// sparsity compares the key with the rows: timing scalesim always uses their sparsity.
func sparsity(topology string, r *importer.Reader) error {
	rows, err := table.ScaleSimLayers(topology, format.Options{})
	if err != nil {
		return err
	}
	sparse := false
	for _, l := range rows {
		sparse = sparse || l.SparseM > 0 && l.SparseN < l.SparseM
	}
	v := r.Get("SparsitySupport", "false")
	on := strings.EqualFold(v.Text, "true")
	if sparse && !on {
		r.Leave(v, "%s has rows with sparsity, which has effect here; the tool computes them as dense", topology)
	}
	if !on {
		for _, key := range []string{"SparseRep", "BlockSize", "RandomNumberGeneratorSeed", "OptimizedMapping"} {
			r.LeaveKey(key, "the tool does not read it without SparsitySupport")
		}
	}
	return nil
}
