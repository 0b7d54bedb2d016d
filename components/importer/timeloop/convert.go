package timeloop

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	reader "github.com/causeway-sim/causeway/accelerators/nest/timeloop"
	"github.com/causeway-sim/causeway/components/importer"
)

func init() {
	importer.All.Add(importer.Entry{
		Name:   "timeloop",
		Doc:    "Timeloop 0.4: architecture and problem, with mapping, constraints, ERT; a folder, or the files.",
		Source: "github.com/Accelergy-Project/timeloop-accelergy-exercises, commit 2d55108",
		New:    Format,
	})
}

// Format reads inputs of Timeloop.
var Format = importer.Format{Title: "Timeloop", Keys: keys, Recognise: recognise, Convert: convert,
	Unknown: "Timeloop ignores them; attributes may be those of a class of Accelergy's"}

func recognise(f importer.File) bool {
	t := f.Tree()
	a, p := importer.Child(t, "architecture"), importer.Child(t, "problem")
	return importer.Child(a, "version") != nil || importer.Child(a, "subtree") != nil || importer.Child(a, "nodes") != nil ||
		importer.Child(p, "shape") != nil || importer.Child(p, "instance") != nil
}

// A role is what a file of an input is.
type role struct {
	key  string // of the node
	what string
	is   func(*yaml.Node) bool
}

func section(names ...string) func(*yaml.Node) bool {
	return func(t *yaml.Node) bool {
		return slices.ContainsFunc(names, func(n string) bool { return importer.Child(t, n) != nil })
	}
}

var roles = []role{
	{"problem_file", "problem", section("problem")},
	{"mapping_file", "mapping", section("mapping")},
	{"constraints_file", "constraints", section("constraints", "architecture_constraints", "mapspace_constraints", "mapspace")},
	{"ert_file", "ERT", section("ERT")},
	{"art_file", "ART", section("ART")},
}

func convert(in *importer.Input, r *importer.Reader, d *importer.Draft) error {
	whole := func(f importer.File) bool { return section("dumped_by_timeloop_front_end")(f.Tree()) }
	is := func(f importer.File) bool { return section("architecture")(f.Tree()) }
	if slices.ContainsFunc(in.Files, whole) {
		is = whole // other files of the same folder are the tool's output
	}
	input, err := in.Only("architecture", is)
	if err != nil {
		return err
	}
	core := d.Node("Core", "spatial")
	core.Set("input_file", in.Refer(input.Path), strings.Join(named(input), ", "))
	sources := []reader.Source{{Name: input.Path, Text: []byte(input.Text)}}
	sections(r, input)
	tree := input.Tree()
	for _, role := range roles {
		f, ok, err := find(in, input, role)
		if err != nil {
			return err
		}
		if !ok || role.is(tree) && nonEmpty(tree, role.what) {
			continue
		}
		core.Set(role.key, in.Refer(f.Path), strings.Join(named(f), ", "))
		sources = append(sources, reader.Source{Name: f.Path, Text: []byte(f.Text), Replaces: true})
		sections(r, f)
	}
	if err := mapperFile(in, input, r); err != nil {
		return err
	}
	read, err := reader.Read(sources...)
	if err != nil {
		return err
	}
	for _, key := range read.Unused {
		if r.Has(key) || key == "mapper" {
			continue // a section that the table explains
		}
		r.Leave(importer.External(key, ""), "changes no count, cycle or energy here")
	}
	for _, u := range read.Unknown {
		r.Stranger(u.Place, u.Key, u.Nearest)
	}
	search(r, core)
	return nil
}

// named are the sections of a file that the node reads.
func named(f importer.File) (out []string) {
	t := f.Tree()
	for i := 0; i+1 < len(t.Content); i += 2 {
		name := t.Content[i].Value
		if slices.ContainsFunc(keys, func(k importer.Key) bool { return k.Name == name && k.Ours != "" }) {
			out = append(out, name)
		}
	}
	return out
}

// nonEmpty reports whether a section of an input says something: the front end writes mapping: [].
func nonEmpty(t *yaml.Node, name string) bool {
	n := importer.Child(t, name)
	return n == nil || len(n.Content) > 0
}

// find finds the file of a role besides the input. A file of outputs such as
// timeloop-mapper.map.yaml is a mapping in another form, which the node does not read.
func find(in *importer.Input, input importer.File, role role) (importer.File, bool, error) {
	is := func(f importer.File) bool {
		return f.Path != input.Path && role.is(f.Tree()) && !strings.Contains(f.Path, "_summary")
	}
	if !slices.ContainsFunc(in.Files, is) {
		return importer.File{}, false, nil
	}
	f, err := in.Only(role.what, is)
	return f, err == nil, err
}

// mapperFile reads the settings of the mapper where they have a file of their own.
func mapperFile(in *importer.Input, input importer.File, r *importer.Reader) error {
	mapper := role{what: "mapper", is: section("mapper")}
	if mapper.is(input.Tree()) {
		return nil
	}
	f, ok, err := find(in, input, mapper)
	if ok && !slices.ContainsFunc(roles, func(x role) bool { return x.is(f.Tree()) }) { // else it has been read
		sections(r, f)
	}
	return err
}

// sections adds the settings of a file that the reader of the node does not account for.
func sections(r *importer.Reader, f importer.File) {
	t := f.Tree()
	for i := 0; i+1 < len(t.Content); i += 2 {
		name := t.Content[i].Value
		if name == "mapper" {
			r.AddTree(f.Path, t.Content[i+1], func(path []string) string { return "mapper." + strings.Join(path, ".") })
			continue
		}
		r.Add(fmt.Sprintf("%s:%d", f.Path, t.Content[i].Line), name, "")
	}
	r.Take(named(f)...)
}

// search carries over what the mapper looks for. Energies need an ERT: without one a search is for
// the least traffic.
func search(r *importer.Reader, core *importer.Block) {
	energies := r.Has("ERT")
	if r.Has("mapper.algorithm") {
		v := r.Get("mapper.algorithm", "")
		switch v.Text {
		case "random", "exhaustive":
			core.From("search.algorithm", v.Text, v)
		default:
			r.Leave(v, "local: no such algorithm here")
		}
	}
	for _, key := range []string{"mapper.optimization_metrics", "mapper.optimization-metrics", "mapper.optimization_metric", "mapper.optimization-metric"} {
		if !r.Has(key) {
			continue
		}
		v := r.Get(key, "")
		names := map[string]string{"edp": "edp", "energy": "energy", "delay": "cycles", "cycles": "cycles"}
		items := v.List()
		if len(items) == 0 {
			continue
		}
		ours, ok := names[items[0]]
		if !ok {
			r.Leave(v, "edp: no such metric here")
			continue
		}
		if !energies && (ours == "edp" || ours == "energy") {
			r.Leave(v, "traffic: energies need an ERT")
			ours = "traffic"
		}
		core.From("search.objective", ours, v)
		if len(items) > 1 {
			r.Leave(v, "the first of the metrics alone")
		}
		return
	}
	if !energies && !r.Has("mapping") {
		core.Set("search.objective", "traffic", "none: energies need an ERT")
	}
}
