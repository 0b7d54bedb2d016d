package configs

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Keys of a preset that say something about it and are no defaults. A preset of
// a mapping inside a node, router for example, says for: router in place of a kind.
var presetNotes = []string{"doc", "source", "fidelities", "for"}

// expandNodes fills in the presets of all nodes. Those inside groups wait for
// Instantiate, because an override may still choose another.
func (d *Document) expandNodes(errs *Errors) {
	nodes := d.Root.Get("nodes")
	if nodes.Kind() != List {
		return
	}
	x := expander{d: d, errs: errs}
	d.Root.n = d.Root.n.with("nodes", x.expand(nodes, nil), d.Root.KeyPos("nodes"))
	if !d.Root.Get("groups").Exists() {
		d.Root.n = d.Root.n.without("presets")
	}
}

// An expander fills in presets.
type expander struct {
	d      *Document
	errs   *Errors
	filled int // values that presets brought in: presets of presets may double
	// overridden: these nodes are of a group whose user overrides some of them, so
	// that a preset may have an effect elsewhere.
	overridden bool
}

// expand puts the preset that v and the mappings in it name below them. chain
// is the presets that v itself comes from.
func (x *expander) expand(v Value, chain []string) *node {
	switch v.Kind() {
	case List, Map:
	default:
		return v.n
	}
	n := v.mapped(always, func(key string, in Value) *node {
		if key == overrideKey {
			return in.n
		}
		return x.expand(in, chain)
	})
	if p := v.Get("preset"); v.Kind() == Map && p.Exists() {
		known := len(*x.errs)
		n = x.fillIn(v, p, n.without("preset"), chain)
		if (p.n.bad || len(*x.errs) > known) && len(n.entries) == 0 {
			return &node{pos: n.pos, bad: true} // the preset was all it said
		}
	}
	return n
}

// fillIn is n, which is v expanded, over the preset p.
func (x *expander) fillIn(v, p Value, n *node, chain []string) *node {
	if p.n.bad {
		return n
	}
	name, err := p.String()
	if err != nil {
		x.errs.Add(err)
		return n
	}
	if slices.Contains(chain, name) {
		x.errs.Add(p.Errorf(nil, "preset is made of itself: %s", strings.Join(append(chain, name), " -> ")))
		return n
	}
	below, err := x.d.preset(v, p, name)
	if err != nil {
		x.errs.Add(err)
		return n
	}
	if x.filled += below.count(maxNodes); x.filled > maxNodes {
		x.errs.Add(p.Errorf(nil, "presets bring in more than %d values", maxNodes))
		return n
	}
	b := Value{n: below, t: v.t}
	if levels := b.Get("fidelities"); levels.Exists() {
		below, err = b.level(v, p, name)
		x.errs.Add(err)
		b.n = below
	}
	unfit := err != nil // of this fidelity: that is said already
	for _, key := range presetNotes {
		b = b.Without(key)
	}
	filled := x.expand(b, append(slices.Clone(chain), name))
	if len(chain) == 0 && !x.overridden && !unfit {
		x.d.checkEffect(p, name, filled, n, x.errs)
	}
	return merge(filled, n, "")
}

// level picks the values for the node's fidelity out of a preset, or for the
// preset's own if the node names none.
func (b Value) level(v, p Value, name string) (*node, error) {
	f := v.Get("fidelity")
	if !f.Exists() {
		f = b.Get("fidelity")
	}
	x := b.Get("fidelities").Get(f.Text())
	if !x.Exists() {
		if !f.Exists() {
			return b.n, nil
		}
		return b.n, p.Errorf(b.Get("fidelities").Keys(), "preset %q has no values for fidelity %s", name, f.Text())
	}
	return merge(b.n.without("fidelities"), x.n, ""), nil
}

// preset finds a preset: one that the configuration declares, a file, or a
// built-in one. The first wins, so that a built-in preset that comes to be
// later does not change what an old configuration means.
func (d *Document) preset(v, p Value, name string) (*node, error) {
	kind := v.Get("kind")
	check := func(x Value) (*node, error) { return d.presetFor(v, p, x, name) }
	if x := d.Root.Get("presets").Get(name); x.Exists() {
		if x.Kind() != Map {
			return nil, x.wrongKind(Map)
		}
		return check(x)
	}
	l := d.loader
	if strings.Contains(name, "/") || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		file := name
		if !filepath.IsAbs(file) {
			file = filepath.Join(d.dirOf(p), filepath.FromSlash(name))
		}
		x, err := l.presetFile(file, func() ([]byte, error) { return l.opts.read(file) })
		if err != nil {
			if e, ok := err.(*Error); ok { // unreadable: who names it is to blame
				missing := p.Errorf(nil, "%s: %s", name, e.Msg)
				missing.Nearest = nearestFile(file)
				return nil, missing
			}
			return nil, err
		}
		if !slices.Contains(d.Files, file) {
			d.Files = append(slices.Clone(d.Files), file)
		}
		return check(Value{n: x})
	}
	x, err := l.presetFile("preset:"+name, func() ([]byte, error) { return fs.ReadFile(l.opts.Presets, name+".yaml") })
	if _, unread := err.(*Error); unread {
		return nil, withNearest(p.Errorf(d.presetNames(kind.Text()), "no preset %q", name), name)
	}
	if err != nil {
		return nil, err
	}
	return check(Value{n: x})
}

// presetFor is what preset x, called name at p, says of v; an error where it is for something else.
func (d *Document) presetFor(v, p, x Value, name string) (*node, error) {
	kind := v.Get("kind")
	if k := x.Get("kind"); kind.Kind() == String && k.Exists() && k.Text() != kind.Text() {
		want := d.presetNames(kind.Text())
		if slices.Contains(want, name) { // all of them
			return nil, p.Errorf(nil, "preset %q is for kind %s, and there is none for kind %s", name, k.Text(), kind.Text())
		}
		return nil, withNearest(p.Errorf(want, "preset %q is for kind %s, not %s", name, k.Text(), kind.Text()), name)
	}
	if f := x.Get("for"); f.Exists() && f.Text() != v.label() && kind.Exists() {
		e := p.Errorf(nil, "preset %q is for the mapping %s in a node, not for the node itself", name, f.Text())
		e.Want = []string{v.Get("name").Text() + "." + f.Text() + ".preset=" + name}
		return nil, e
	}
	if x.Get("schema").Exists() {
		if only := nodeOf(x, kind.Text()); only != nil {
			return only, nil
		}
		return nil, p.Errorf(d.presetNames(kind.Text()), "%q is a whole system, for extends", name)
	}
	return x.n, nil
}

// nodeOf is what the one node of a kind in a whole system is made of, nil where there
// is none or several: a system can be extended, and its node used elsewhere.
func nodeOf(system Value, kind string) *node {
	var found *node
	for _, n := range system.Get("nodes").Items() {
		if n.Get("kind").Text() != kind || kind == "" {
			continue
		}
		if found != nil {
			return nil
		}
		found = n.n.without("name").without("count")
	}
	return found
}

// presetFile reads a preset once. An *Error means that it cannot be read, an
// Errors that it is wrong inside.
func (l *Loader) presetFile(name string, read func() ([]byte, error)) (*node, error) {
	l.mu.Lock()
	n := l.presets[name]
	l.mu.Unlock()
	if n != nil {
		return n, nil
	}
	text, err := read()
	if err != nil {
		return nil, &Error{Pos: Pos{File: name}, Msg: plainReason(err)}
	}
	v, err := ParseValue(name, text)
	if err == nil && v.Kind() != Map {
		err = Errors{v.wrongKind(Map)}
	}
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.presets[name] = v.n
	l.mu.Unlock()
	return v.n, nil
}

// presetNames lists the presets for a kind, or all if kind is "" or has none.
func (d *Document) presetNames(kind string) []string {
	var names []string
	own := d.Root.Get("presets")
	for _, name := range own.Keys() {
		if k := own.Get(name).Get("kind"); kind == "" || !k.Exists() || k.Text() == kind {
			names = append(names, name)
		}
	}
	_, nodes := d.loader.builtin()
	for _, p := range nodes {
		if kind == "" || p.Kind == kind {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 && kind != "" {
		return d.presetNames("")
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A Preset describes a built-in preset.
type Preset struct {
	Name   string
	Kind   string // of the node, or key of the mapping, it is for; "" for a whole system
	Doc    string
	Source string
}

// Presets lists the built-in presets of nodes and whole systems, sorted by name.
func Presets() []Preset { return slices.Clone(builtinPresets()) }

// builtinPresets reads all files once: a schema asks for them at each of its mappings.
var builtinPresets = sync.OnceValue(func() []Preset {
	systems, nodes := NewLoader(Options{}).builtin()
	for _, s := range systems {
		nodes = append(nodes, Preset{Name: s})
	}
	slices.SortFunc(nodes, func(a, b Preset) int { return strings.Compare(a.Name, b.Name) })
	return nodes
})

// builtin lists the built-in systems and node presets by name.
func (l *Loader) builtin() (systems []string, nodes []Preset) {
	files, _ := fs.Glob(l.opts.Presets, "*.yaml") // the pattern is well-formed
	for _, f := range files {
		name := strings.TrimSuffix(f, ".yaml")
		n, err := l.presetFile("preset:"+name, func() ([]byte, error) { return fs.ReadFile(l.opts.Presets, f) })
		v := Value{n: n}
		switch {
		case err != nil: // reported when a configuration uses the preset
		case v.Get("schema").Exists():
			systems = append(systems, name)
		default:
			kind := v.Get("kind").Text()
			if kind == "" {
				kind = v.Get("for").Text()
			}
			nodes = append(nodes, Preset{name, kind, v.Get("doc").Text(), v.Get("source").Text()})
		}
	}
	return systems, nodes
}
