package configs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// What a file extends may be the choice of a parameter, extends:
// machines/$machine.yaml. It is looked up before overrides are carried out, which
// takes parameters alone: the file's own, then those of the files that extend it,
// then overrides.

// paramsOf returns the parameters that overrides set, nil if none. Errors are reported when the
// overrides are applied.
func paramsOf(set []string) *node {
	var out *node
	for i, s := range set {
		path, raw, ok := strings.Cut(s, "=")
		name := strings.TrimPrefix(strings.TrimSpace(path), "params.")
		raw = strings.TrimSpace(raw)
		if !ok || raw == "" || !isName.MatchString(name) {
			continue
		}
		p := parser{file: SetFile, set: i + 1, anchors: map[*TextNode]*node{}}
		x := p.value(raw)
		if p.errs.Err() != nil || x == nil || x.kind == Null {
			continue
		}
		if out == nil {
			out = &node{kind: Map, pos: x.pos}
		}
		out = out.with(name, x, x.pos)
	}
	return out
}

// choose fills the parameters into an entry of extends; chosen is set if it has some.
func choose(e Value, params *node, errs *Errors) (out Value, chosen bool) {
	if e.Kind() != String || !strings.Contains(e.Text(), "$") {
		return e, false
	}
	s := newScope(Value{n: params}, errs)
	return Value{n: s.fill(e), t: e.t}, true
}

// firstThere fills the parameters into an entry of extends. An entry that is a list names the first of its files that
// exists, or the last. written is the name before parameters were filled in; chosen is set if it has some.
func (l *Loader) firstThere(e Value, params *node, errs *Errors) (named, written Value, chosen bool) {
	switch {
	case e.Kind() != List:
		named, chosen = choose(e, params, errs)
		return named, e, chosen
	case len(e.Items()) == 0:
		errs.Add(e.Errorf(nil, "is empty (want files, of which the first that exists is taken)"))
		return Value{n: &node{kind: String, bad: true}}, e, false
	}
	for _, x := range e.Items() {
		name, some := choose(x, params, errs)
		named, written, chosen = name, x, chosen || some
		if name.Kind() == String && !strings.HasPrefix(name.Text(), "preset:") {
			if _, err := l.opts.read(fileOf(name, x)); errors.Is(err, fs.ErrNotExist) {
				continue
			}
		}
		break
	}
	return named, written, chosen
}

// fileOf is the file that an entry of extends names, relative to the one that it stands in.
func fileOf(named, written Value) string {
	if name := named.Text(); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(written.dir(), filepath.FromSlash(named.Text()))
}

// chosenName is a file name of which one parameter chooses a part.
var chosenName = regexp.MustCompile(`^([^$]*)\$(?:\{[^{}$]+\}|\w+)([^$]*)$`)

// choices returns the values that the parameter in a missing file's name may have, and the
// nearest of them. It takes them from the files of the same folder: of machines/${system}.yaml
// all files of machines/. It leaves out the files of chain, which extend the missing file, and
// a.part.yaml where a.yaml exists, as a part of it.
func choices(written, file string, chain []string) (want []string, nearest string) {
	m := chosenName.FindStringSubmatch(written[strings.LastIndex(written, "/")+1:])
	if m == nil {
		return nil, ""
	}
	list, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return nil, ""
	}
	for _, e := range list {
		path := filepath.Join(filepath.Dir(file), e.Name())
		name, ok := strings.CutPrefix(e.Name(), m[1])
		name, ends := strings.CutSuffix(name, m[2])
		if ok && ends && name != "" && !e.IsDir() && !slices.Contains(chain, path) {
			want = append(want, name)
		}
	}
	all := slices.Clone(want)
	want = slices.DeleteFunc(want, func(name string) bool {
		whole, _, part := strings.Cut(name, ".")
		return part && (slices.Contains(all, whole) || whole+filepath.Ext(name) != name && slices.Contains(all, whole+filepath.Ext(name)))
	})
	given := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), m[1]), m[2])
	return want, Nearest(given, want)
}
