package page

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/catalogue"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/system"
)

// A used model is a built-in thing that a configuration names.
type used struct {
	what, name, doc, source string
	nodes                   string // where, of a kind
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// usedBy lists the built-in things that a configuration names, in the order of its
// nodes: kinds, and the choices by name under a key that is an extension point (policy,
// routing, topology, ...), each once.
func usedBy(config []byte) []used {
	f := finder{sections: map[string]catalogue.Section{}}
	doc := parsed(config)
	nodes, _ := doc["nodes"].([]any)
	for _, n := range nodes {
		if m, ok := n.(map[string]any); ok {
			f.kind(m)
			f.walk("", m)
		}
	}
	delete(doc, "nodes")
	f.walk("", doc)
	return f.out
}

// A finder finds built-in things in a configuration.
type finder struct {
	out      []used
	sections map[string]catalogue.Section // by key; what no key asks for takes no time
}

// item is the built-in thing of a name in a section.
func (f *finder) item(what, name string) (it catalogue.Item, ok bool) {
	s, known := f.sections[what]
	if !known {
		s, _ = catalogue.IndexOf(what)
		f.sections[what] = s
	}
	i := slices.IndexFunc(s.Items, func(it catalogue.Item) bool { return it.Name == name })
	if i < 0 {
		return it, false
	}
	return s.Items[i], true
}

// add notes a thing, once.
func (f *finder) add(it catalogue.Item, node string) {
	i := slices.IndexFunc(f.out, func(u used) bool { return u.what == it.What && u.name == it.Name })
	switch {
	case i < 0:
		f.out = append(f.out, used{it.What, it.Name, it.Doc, it.Source, node})
	case node != "" && f.out[i].nodes != "":
		f.out[i].nodes += ", " + node
	}
}

// kind notes the kind of a node.
func (f *finder) kind(m map[string]any) {
	name := fmt.Sprint(m["name"])
	if c, ok := m["count"]; ok {
		name += fmt.Sprintf(" x %v", c)
	}
	for _, e := range system.Kinds.Entries() {
		if e.New.Kind == m["kind"] && (m["fidelity"] == nil && e.New.Default || m["fidelity"] == e.New.Fidelity || e.New.Fidelity == "") {
			f.add(catalogue.Item{What: "kind", Name: e.Name, Doc: e.Doc, Source: e.Source}, name)
		}
	}
}

// walk notes what stands under a key.
func (f *finder) walk(key string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if name, ok := v["name"].(string); ok && key != "" {
			f.walk(key, name)
		}
		for _, k := range sortedKeys(v) {
			f.walk(k, v[k])
		}
	case []any:
		for _, x := range v {
			f.walk("", x)
		}
	case string:
		what := key
		if key == "grade" {
			what = "preset"
		}
		if it, ok := f.item(what, v); ok && what != "kind" {
			f.add(it, "")
		}
	}
}

var (
	yearOf    = regexp.MustCompile(`\b(19|20)\d\d\b`)
	person    = regexp.MustCompile(`^(?:\p{Lu}\.[ -]?)*[\p{Lu}][\p{L}'-]+$`) // a family name, with initials or without
	notLetter = regexp.MustCompile(`[^a-z0-9]+`)
)

// bibTeX cites Causeway and the sources of the models used, as the registries name them.
func bibTeX(use []used) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@software{causeway,\n  title = {Causeway: a simulator of AI hardware},\n  version = {%s}\n}\n", result.Version)
	keys := map[string]bool{"causeway": true}
	var sources []string
	names := map[string][]string{}
	for _, u := range use {
		for _, s := range strings.Split(u.source, "; ") {
			if s = strings.TrimSpace(s); s == "" || strings.HasPrefix(s, "none") || !yearOf.MatchString(s) {
				continue
			}
			if names[s] == nil {
				sources = append(sources, s)
			}
			names[s] = append(names[s], u.what+" "+u.name)
		}
	}
	for _, s := range sources {
		e := citationOf(s)
		key := e.key
		for n := 2; keys[key]; n++ {
			key = fmt.Sprintf("%s-%d", e.key, n)
		}
		keys[key] = true
		fmt.Fprintf(&b, "\n@misc{%s,\n", key)
		for _, f := range [][2]string{{"author", e.author}, {"title", e.title}, {"howpublished", e.venue}, {"year", e.year}, {"note", "used by " + strings.Join(names[s], ", ")}} {
			if f[1] != "" {
				fmt.Fprintf(&b, "  %s = {%s},\n", f[0], texEscape(f[1]))
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

type citation struct{ key, author, title, venue, year string }

// citationOf reads a source of a registry: authors ("et al.", "X and Y", "X, Y"), title,
// venue with its year, place in the paper. What cannot be told apart is the title.
func citationOf(source string) (c citation) {
	c.year = yearOf.FindString(source)
	parts := strings.Split(source, ", ")
	authors := 0
	for i, p := range parts[:min(4, len(parts))] {
		if strings.HasSuffix(p, "et al.") || strings.Contains(p, " and ") && len(strings.Fields(p)) <= 5 {
			authors = i + 1
			break
		}
	}
	for authors == 0 || authors < len(parts)-2 && person.MatchString(parts[authors]) {
		if authors == 0 && (len(parts) < 3 || !person.MatchString(parts[0])) {
			break
		}
		authors++
	}
	venue := slices.IndexFunc(parts, yearOf.MatchString)
	c.author = strings.Join(parts[:authors], " and ")
	c.author = strings.ReplaceAll(c.author, " et al.", " and others")
	if venue > authors {
		c.title = strings.Trim(strings.Join(parts[authors:venue], ", "), `"`)
		c.venue = strings.Join(parts[venue:], ", ")
	} else {
		c.title = strings.Join(parts[authors:], ", ")
	}
	first := strings.ToLower(c.author)
	if first == "" {
		first = strings.ToLower(c.title)
	}
	words := strings.Fields(strings.ReplaceAll(first, " and others", ""))
	if len(words) > 0 {
		first = words[0]
		if len(first) == 2 && strings.HasSuffix(first, ".") && len(words) > 1 { // an initial
			first = words[1]
		}
	}
	c.key = notLetter.ReplaceAllString(first, "") + c.year
	return c
}

// texEscape keeps signs that mean something to TeX.
func texEscape(s string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`).Replace(s)
}
