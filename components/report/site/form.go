package site

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report/page"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

//go:embed form.js
var formScript string

//go:embed form.html
var formBody string

var formLayout = template.Must(template.New("form").Parse(formBody))

// A group is the fields of a node or of a section.
type group struct {
	Name, Kind string
	Fields     []field
	More       []field // keys that the configuration leaves at their default
}

// A field is a parameter that can be changed: Path is that of --set.
type field struct {
	Path, Key, Value, Default, Doc, Type, Range string
	Values                                      []string // to choose from
}

// form sends a configuration as a form, with the figures of its run.
func (s *Site) form(w http.ResponseWriter, r *http.Request) {
	path := r.PathValue("path")
	file, err := s.inside(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	x, err := experiment.Load(file, s.options)
	l := page.Live{Title: path, Subtitle: "Change a value: what follows is simulated anew.", Script: formScript}
	data := struct {
		Path, Error string
		Groups      []group
		Sweeps      bool // can be started
	}{Path: path, Sweeps: s.Command != nil}
	if data.Sweeps {
		l.Script += goingScript
	}
	if err != nil {
		data.Error = err.Error()
	} else {
		data.Groups = groupsOf(x.Config())
		ctx, stop := context.WithTimeout(r.Context(), trialTime)
		defer stop()
		res, proc, err := x.Run(ctx, nil)
		if res == nil {
			data.Error = err.Error()
		} else {
			l.Data = &panel.Data{Title: path, Run: &panel.Run{Name: path, Result: res, Process: proc}}
		}
	}
	var b bytes.Buffer
	if err := formLayout.Execute(&b, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	l.Body = template.HTML(b.String()) // of a template that escapes
	html, err := page.WriteLive(l)
	send(w, html, err)
}

// groupsOf are the fields of a resolved configuration: its parameters, the workload, and
// the keys of each node by the Spec of its kind.
func groupsOf(config []byte) (out []group) {
	var doc struct {
		Params   map[string]any
		Workload map[string]any
		Nodes    []map[string]any
	}
	if yaml.Unmarshal(config, &doc) != nil {
		return nil
	}
	section := func(name, prefix string, m map[string]any) {
		g := group{Name: name}
		for _, key := range keysOf(m) {
			if v, ok := scalar(m[key]); ok {
				g.Fields = append(g.Fields, field{Path: prefix + key, Key: key, Value: v})
			}
		}
		if len(g.Fields) > 0 {
			out = append(out, g)
		}
	}
	section("params", "", doc.Params)
	section("workload", "workload.", doc.Workload)
	for _, n := range doc.Nodes {
		g := group{Name: fmt.Sprint(n["name"]), Kind: fmt.Sprint(n["kind"])}
		flat := map[string]string{}
		flatten(flat, "", n)
		for _, key := range []string{"name", "kind", "group"} {
			delete(flat, key)
		}
		add := func(k schema.Key, value string, here bool) {
			f := field{Path: g.Name + "." + k.Path, Key: k.Path, Value: value, Default: k.Default, Doc: k.Doc, Type: k.Type, Range: k.Range, Values: k.Values}
			if here {
				g.Fields = append(g.Fields, f)
			} else {
				g.More = append(g.More, f)
			}
		}
		for _, k := range specKeys(n) {
			if strings.HasPrefix(k.Type, "mapping") || strings.HasPrefix(k.Type, "list") {
				continue
			}
			v, here := flat[k.Path]
			delete(flat, k.Path)
			add(k, v, here)
		}
		for _, key := range keysOf(flat) {
			k := schema.Key{Path: key}
			if key == "fidelity" {
				k.Values = fidelities(g.Kind)
			}
			add(k, flat[key], true)
		}
		out = append(out, g)
	}
	return out
}

// specKeys are the keys that a node of a configuration accepts.
func specKeys(n map[string]any) []schema.Key {
	for _, e := range system.Kinds.Entries() {
		f, given := n["fidelity"]
		if e.New.Kind == n["kind"] && e.Spec != nil && (given && f == e.New.Fidelity || !given && (e.New.Default || e.New.Fidelity == "")) {
			return schema.Keys(e.Spec)
		}
	}
	return nil
}

func fidelities(kind string) (out []string) {
	for _, e := range system.Kinds.Entries() {
		if e.New.Kind == kind {
			out = append(out, e.New.Fidelity)
		}
	}
	return out
}

// flatten names the scalars of a mapping by their paths.
func flatten(out map[string]string, prefix string, m map[string]any) {
	for key, v := range m {
		if s, ok := scalar(v); ok {
			out[prefix+key] = s
		} else if sub, ok := v.(map[string]any); ok {
			flatten(out, prefix+key+".", sub)
		}
	}
}

func scalar(v any) (string, bool) {
	switch v.(type) {
	case map[string]any, []any, nil:
		return "", false
	}
	return fmt.Sprint(v), true
}

func keysOf[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, configs.CompareNames)
	return out
}
