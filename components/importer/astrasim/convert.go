package astrasim

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
)

func init() {
	importer.All.Add(importer.Entry{
		Name:   "astrasim",
		Doc:    "ASTRA-sim 2: network, system and traces; a folder, or the files.",
		Source: "github.com/astra-sim/astra-sim, commit 518bd51",
		New:    Format,
	})
}

// Format reads configurations of ASTRA-sim.
var Format = importer.Format{
	Title: "ASTRA-sim", Keys: keys, Convert: convert, Unknown: "ASTRA-sim ignores them",
	Recognise: func(f importer.File) bool { return isNetwork(f) || isSystem(f) },
}

func isNetwork(f importer.File) bool {
	t := f.Tree()
	return importer.Child(t, "topology") != nil && importer.Child(t, "npus_count") != nil
}

func isSystem(f importer.File) bool {
	t := f.Tree()
	return importer.Child(t, "all-reduce-implementation") != nil || importer.Child(t, "preferred-dataset-splits") != nil
}

func isMemory(f importer.File) bool { return importer.Child(f.Tree(), "memory-type") != nil }

func isLogical(f importer.File) bool { return importer.Child(f.Tree(), "logical-dims") != nil }

func convert(in *importer.Input, r *importer.Reader, d *importer.Draft) error {
	has := func(is func(importer.File) bool) bool {
		for _, f := range in.Files {
			if is(f) {
				return true
			}
		}
		return false
	}
	for _, part := range []struct {
		what string
		is   func(importer.File) bool
		want bool
	}{{"network (topology and npus_count)", isNetwork, true}, {"system (all-reduce-implementation, ...)", isSystem, false}, {"memory-type", isMemory, false}, {"logical-dims", isLogical, false}} {
		if !part.want && !has(part.is) {
			continue
		}
		f, err := in.Only(part.what, part.is)
		if err != nil {
			return err
		}
		r.AddTree(f.Path, f.Tree(), func(path []string) string { return strings.Join(path, ".") })
	}
	ranks := d.Node("Ranks", "ranks")
	size := network(r, d)
	if len(size) == 0 {
		return nil
	}
	if err := program(in, r, ranks, size); err != nil {
		return err
	}
	system(r, ranks, size)
	d.Link("Ranks -> Net")
	return nil
}

// rankFile is the trace of one rank.
var rankFile = regexp.MustCompile(`^(.*\.)(\d+)(\.et)$`)

// program writes the traces of the ranks.
func program(in *importer.Input, r *importer.Reader, ranks *importer.Block, size []int) error {
	all := 1
	for _, n := range size {
		all *= n
	}
	found := map[string]int{}
	var names []string
	for _, f := range in.Files {
		if m := rankFile.FindStringSubmatch(filepath.Base(f.Path)); m != nil {
			name := filepath.Join(filepath.Dir(f.Path), m[1]+"%d"+m[3])
			if found[name] == 0 {
				names = append(names, name)
			}
			found[name]++
		}
	}
	switch len(names) {
	case 0:
		ranks.Set("ranks", all, "npus_count")
		ranks.Set("pattern", map[string]any{"name": "all_reduce", "bytes": "1MiB"}, "none: put your trace here (trace: NAME.%d.et)")
		r.Leave(importer.External("workload", ""), "no trace NAME.RANK.et among the files: an all-reduce of 1 MiB stands in its place")
	case 1:
		if found[names[0]] != all {
			return fmt.Errorf("%s: traces of %d ranks, and npus_count is %d", names[0], found[names[0]], all)
		}
		ranks.Set("trace", in.Refer(names[0]), "workload")
	default:
		return fmt.Errorf("%s: traces of more than one workload (want one of: %s)", in.Name, strings.Join(names, ", "))
	}
	return nil
}

// algorithms are ours by the tool's names.
var algorithms = map[string]string{"ring": "ring", "oneRing": "ring", "direct": "direct", "oneDirect": "direct", "halvingDoubling": "halving_doubling", "doubleBinaryTree": "double_binary_tree"}

// system writes collectives and the times of ranks.
func system(r *importer.Reader, ranks *importer.Block, size []int) {
	splits, active := r.Get("preferred-dataset-splits", "1"), r.Get("active-chunks-per-dimension", "1")
	for _, x := range [][2]string{
		{"all-reduce", "all_reduce"}, {"all-gather", "all_gather"}, {"reduce-scatter", "reduce_scatter"}, {"all-to-all", "all_to_all"},
	} {
		v := r.Get(x[0]+"-implementation", "[ring]")
		name := algorithm(r, v, x[1], size)
		at := "collectives." + x[1]
		ranks.From(at+".name", name, v)
		if name == "hierarchical" {
			ranks.Set(at+".group", size[0], "first of npus_count")
		}
		if n := splits.Int(); n > 1 {
			ranks.From(at+".chunks", n, splits)
			ranks.From(at+".active", min(n, active.Int()), active)
		}
	}
	delay := r.Get("endpoint-delay", "10")
	ranks.Set("nic.overhead", half(delay), "half of "+delay.From()+" at each end")
	begin := delay.Int()
	if active.Int() == 1 {
		begin *= splits.Int()
	}
	ranks.Set("start", []map[string]string{{"bytes": "0B", "time": fmt.Sprintf("%dns", begin)}}, delay.From()+", for each split that follows another")
	memory := r.Get("local-mem-bw", "0")
	if memory.Float() > 0 {
		ranks.From("memory", memory.Text+"GB/s", memory)
		ranks.Set("rounding", "down", "each pass over the data, as the tool")
	}
	roofline, peak := r.Get("roofline-enabled", "0"), r.Get("peak-perf", "0")
	if roofline.Text == "1" && peak.Float() > 0 {
		ranks.Set("compute", peak.Text+"TFLOP/s", peak.From()+", "+roofline.From())
	} else {
		r.LeaveKey("peak-perf", "the tool does not read it without roofline-enabled")
	}
}

func half(v importer.Value) string { return strconv.FormatFloat(v.Float()/2, 'g', -1, 64) + "ns" }

// algorithm is ours for the tool's list, one for each dimension.
func algorithm(r *importer.Reader, v importer.Value, collective string, size []int) string {
	items := v.List()
	if len(items) == 0 {
		v.Fail("has no algorithm")
		return "ring"
	}
	name, ok := algorithms[items[0]]
	if !ok {
		r.Leave(v, "ring: no such algorithm here (causeway list collectives)")
		return "ring"
	}
	if name == "double_binary_tree" && collective != "all_reduce" || name == "halving_doubling" && collective == "all_to_all" {
		r.Leave(v, "ring: the algorithm is not one of %s", collective)
		return "ring"
	}
	if len(size) == 1 {
		return name
	}
	for _, i := range items {
		if i != "ring" && i != "oneRing" {
			r.Leave(v, "the levels of hierarchical are rings")
			break
		}
	}
	if len(size) > 2 {
		r.Leave(v, "hierarchical has two levels: the first dimension, and the others as one")
	}
	return "hierarchical"
}
