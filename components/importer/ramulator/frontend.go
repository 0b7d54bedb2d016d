package ramulator

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// frontend writes the nodes that send requests.
func frontend(in *importer.Input, f importer.File, r *importer.Reader, d *importer.Draft) {
	v := r.Get("frontend.impl", "")
	trace := func(path string) string { return in.Refer(importer.Named(f.Path, path)) }
	switch v.Text {
	case "LoadStoreTrace", "ReadWriteTrace":
		n := d.Node("Driver", "driver")
		path := r.Get("frontend.path", "")
		if path.Text == "" {
			path.Fail("has no trace")
		}
		n.From("trace", trace(path.Text), path)
		n.Set("mode", "open:1", v.From()+": a request per cycle, as the memory takes them")
		clock(r, n)
		noTranslation(r)
		d.Link("Driver -> Mem")
	case "SimpleO3", "BHO3":
		if v.Text == "BHO3" {
			r.Leave(v, "as SimpleO3: %s", hammer)
		}
		cores(r, d, trace)
	default:
		r.Leave(v, "a stream of reads in place of requests from outside: put your trace into Driver.trace")
		n := d.Node("Driver", "driver")
		n.Set("generate", map[string]any{"name": "stream", "size": "1MiB", "count": 16384}, "none: put your trace here (trace: FILE)")
		n.Set("mode", "closed:8", "")
		r.LeaveKey("frontend.traces", "the tool does not read it with frontend %s", v.Text)
		clock(r, n)
		noTranslation(r)
		d.Link("Driver -> Mem")
	}
}

// cores writes a cpu for each trace and the cache that they share.
func cores(r *importer.Reader, d *importer.Draft, trace func(string) string) {
	traces := r.Get("frontend.traces", "")
	width, window := r.Get("frontend.ipc", "4"), r.Get("frontend.inst_window_depth", "128")
	space, kind := r.Get("translation.max_addr", "0"), r.Get("translation.impl", "NoTranslation")
	files := traces.List()
	if len(files) == 0 {
		traces.Fail("has no trace")
		return
	}
	for i, file := range files {
		name := "Core"
		if len(files) > 1 {
			name += fmt.Sprint(i)
		}
		n := d.Node(name, "cpu")
		n.From("trace", trace(file), traces)
		n.Set("format", "ramulator_inst", r.Get("frontend.impl", "").From())
		clock(r, n)
		n.From("width", width.Int(), width)
		n.From("window", window.Int(), window)
		if kind.Text == "RandomTranslation" {
			n.Set("scatter", space.Text+"B", kind.From()+", "+space.From())
		}
		d.Link(name + " -> LLC.top")
	}
	if kind.Text != "RandomTranslation" {
		noTranslation(r)
	}
	n := d.Node("LLC", "cache")
	n.Set("fidelity", "timed", "")
	clock(r, n)
	each := r.Get("frontend.llc_capacity_per_core", "2MB")
	n.Set("size", fmt.Sprintf("%dKiB", kib(each)*len(files)), each.From()+fmt.Sprintf(", %d cores", len(files)))
	ways, line := r.Get("frontend.llc_associativity", "8"), r.Get("frontend.llc_linesize", "64")
	n.From("ways", ways.Int(), ways)
	n.From("line", line.Text+"B", line)
	late, mshrs := r.Get("frontend.llc_latency", "47"), r.Get("frontend.llc_num_mshr_per_core", "16")
	n.From("latency", late.Text+"cycle", late)
	n.Set("mshrs", mshrs.Int()*len(files), mshrs.From())
	d.Link("LLC.bottom -> Mem")
}

// kib reads a capacity such as 2MB, which the tool takes as 2^20.
func kib(v importer.Value) int {
	for _, unit := range []struct {
		name string
		kib  int
	}{{"GB", 1 << 20}, {"MB", 1 << 10}, {"KB", 1}} {
		if n, ok := strings.CutSuffix(strings.ToUpper(v.Text), unit.name); ok {
			return v.Item(n).Int() * unit.kib
		}
	}
	v.Fail("%q is not a capacity (want for example 2MB)", v.Text)
	return 1
}

// clock writes the clock of a frontend: that of the memory times the ratio of both.
func clock(r *importer.Reader, n *importer.Block) {
	front, mem := r.Get("frontend.clock_ratio", "1"), r.Get("memory_system.clock_ratio", "1")
	a, b := front.Int(), mem.Int()
	if a < 1 || b < 1 {
		front.Fail("clock ratios are %s and %s (want 1 or more)", front.Text, mem.Text)
		return
	}
	_, best, _ := nearest(r)
	g, ok := standard.Find(best)
	if !ok {
		return // an error of the standard
	}
	f := units.Hertz(float64(g.Clock.Den()) / float64(g.Clock.Num()) * float64(a) / float64(b))
	n.Set("clock", f.String(), fmt.Sprintf("%d/%d of the memory's clock: frontend.clock_ratio and memory_system.clock_ratio", a, b))
}

// noTranslation takes the settings of addresses that stay as they are.
func noTranslation(r *importer.Reader) {
	v := r.Get("translation.impl", "NoTranslation")
	if v.Text != "NoTranslation" {
		r.Leave(v, "a driver plays the addresses of its trace")
	}
	r.LeaveKey("translation.max_addr", "addresses have no limit but the size of the memory")
}
