package configs

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/causeway-sim/causeway/configs/presets"
)

// A Loader loads configurations and reads each file once, even if it is loaded again with other
// overrides, as for the points of a sweep. Several goroutines may use it.
type Loader struct {
	opts Options

	mu      sync.Mutex
	files   map[string]*source
	presets map[string]*node
}

// source is one file with what it extends merged below it.
type source struct {
	root  *node
	files []string
	torn  bool // something that it extends is missing
	// chosen: a parameter says what is extended, here or further below, so that
	// the source holds for the parameters of one load only.
	chosen bool
	strays []unusedParam
	asked  map[string]bool // parameters that entries of extends name
}

// NewLoader returns a loader. It ignores Options.Set: overrides are arguments of Load.
func NewLoader(opts Options) *Loader {
	if opts.Presets == nil {
		opts.Presets = presets.FS
	}
	return &Loader{opts: opts, files: map[string]*source{}, presets: map[string]*node{}}
}

// Load reads file and applies the overrides.
func (l *Loader) Load(file string, set ...string) (*Document, error) {
	src, err := l.source(file, nil, paramsOf(set))
	return l.document(file, src, err, set)
}

// Parse is like Load, but takes the text of the file; name is the file's name in errors.
func (l *Loader) Parse(name string, text []byte, set ...string) (*Document, error) {
	src, err := l.extend(name, text, []string{name}, paramsOf(set))
	return l.document(name, src, err, set)
}

func (l *Loader) document(name string, src *source, err error, set []string) (*Document, error) {
	if src == nil || src.root == nil || src.torn {
		return nil, err // more would be said about what is only missing
	}
	var errs Errors
	errs.Add(err)
	d := &Document{Root: Value{n: src.root}, Files: src.files, name: name, loader: l}
	errs.Add(d.resolve(set))
	if errs.Err() == nil { // else what would use them may be what is wrong
		errs.Add(refuseStrays(src))
	}
	return d, errs.Err()
}

// source reads a file and what it extends. chain is how it was reached, params the
// parameters that files above it and overrides give.
func (l *Loader) source(file string, chain []string, params *node) (*source, error) {
	l.mu.Lock()
	src := l.files[file]
	l.mu.Unlock()
	if src != nil {
		return src, nil
	}
	text, err := l.opts.read(file)
	if err != nil {
		return nil, Errors{&Error{Pos: Pos{File: file}, Msg: plainReason(err)}}
	}
	src, err = l.extend(file, text, append(slices.Clone(chain), file), params)
	if err == nil && !src.chosen {
		l.mu.Lock()
		l.files[file] = src
		l.mu.Unlock()
	}
	return src, err
}

func plainReason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file"
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return "cannot be read: " + p.Err.Error()
	}
	return "cannot be read: " + err.Error()
}

// extend parses one file and merges it over what it extends.
func (l *Loader) extend(file string, text []byte, chain []string, params *node) (*source, error) {
	v, err := ParseValue(file, text)
	if err != nil {
		return nil, err
	}
	var errs Errors
	l.checkTop(v, &errs)
	out := &source{files: []string{file}, asked: map[string]bool{}}
	if v.Kind() != Map {
		return nil, errs.Err()
	}
	params = merge(v.Get("params").n, params, "")
	ext := v.Get("extends")
	list := []Value{ext}
	if ext.Kind() == List {
		list = ext.Items()
	}
	for _, e := range list {
		if !e.Exists() {
			continue
		}
		references(e.n, out.asked)
		named, written, chosen := l.firstThere(e, params, &errs)
		base, err := l.base(named, written, chain, params)
		errs.Add(err)
		out.torn = out.torn || base == nil || base.torn
		out.chosen = out.chosen || chosen || base != nil && base.chosen
		if base != nil {
			out.root = merge(out.root, base.root, "")
			out.strays = append(out.strays, base.strays...)
			maps.Copy(out.asked, base.asked)
			for _, f := range base.files {
				if !slices.Contains(out.files, f) {
					out.files = append(out.files, f)
				}
			}
		}
	}
	out.strays = append(out.strays, straysOf(v, out.root)...)
	out.root = merge(out.root, v.Without("extends").n, "")
	return out, errs.Err()
}

// base loads what an entry of extends names, e; written is the entry before parameters
// were filled in. Files are relative to the one that it stands in.
func (l *Loader) base(e, written Value, chain []string, params *node) (*source, error) {
	if e.n.bad {
		return nil, nil // that is said already
	}
	name, err := e.String()
	if err != nil {
		return nil, err
	}
	if preset, ok := strings.CutPrefix(name, "preset:"); ok {
		return l.baseSystem(e, preset, chain, params)
	}
	file := fileOf(e, written)
	if slices.Contains(chain, file) {
		return nil, e.Errorf(nil, "extends itself: %s", strings.Join(append(chain[slices.Index(chain, file):], file), " -> "))
	}
	src, err := l.source(file, chain, params)
	if x, ok := errors.AsType[*Error](err); ok && x.Pos == (Pos{File: file}) {
		missing := e.Errorf(nil, "%s: %s", name, x.Msg)
		if missing.Want, missing.Nearest = choices(written.Text(), file, chain); missing.Want == nil {
			missing.Nearest = nearestFile(file)
		}
		return nil, missing // the file that is to blame is the one that names it
	}
	return src, err
}

// baseSystem loads a built-in system.
func (l *Loader) baseSystem(e Value, name string, chain []string, params *node) (*source, error) {
	file := "preset:" + name
	text, err := fs.ReadFile(l.opts.Presets, name+".yaml")
	if err != nil {
		systems, _ := l.builtin()
		return nil, withNearest(e.Errorf(systems, "no built-in system %q", name), name)
	}
	v, err := ParseValue(file, text)
	if err == nil && !v.Get("schema").Exists() {
		systems, _ := l.builtin()
		return nil, e.Errorf(systems, "%s is a preset for a node, which names it as preset: %s; extends takes a whole system", file, name)
	}
	return l.extend(file, text, append(slices.Clone(chain), file), params)
}

func withNearest(e *Error, word string) *Error {
	e.Nearest = Nearest(word, e.Want)
	return e
}

// checkTop checks what belongs to the file as a whole.
func (l *Loader) checkTop(v Value, errs *Errors) {
	if v.Kind() != Map {
		errs.Add(v.Errorf(nil, "a configuration is a mapping, not %s", v.Kind()))
		return
	}
	if s := v.Get("schema"); !s.Exists() {
		errs.Add(s.Errorf([]string{Version}, "is missing"))
	} else if s.Text() != Version {
		errs.Add(s.Errorf([]string{Version}, "%s is not known", s.shown()))
	}
	known := l.opts.known()
	for _, key := range v.Keys() {
		if !slices.Contains(known, key) {
			errs.Add(v.UnknownKey(key, known))
		}
	}
	for _, key := range []string{"nodes", "memory", "workloads"} {
		checkNames(v.Get(key), errs)
	}
	if g := v.Get("groups"); g.Kind() == Map {
		for _, name := range g.Keys() {
			checkNames(g.Get(name).Get("nodes"), errs)
		}
	}
}

// checkNames returns an error for two items of one name in one list, because they are merged by
// name.
func checkNames(list Value, errs *Errors) {
	first := map[string]Pos{}
	for _, x := range list.Items() {
		name := x.Get(idKey(list.label()))
		if name.Kind() != String {
			continue
		}
		if at, dup := first[name.Text()]; dup {
			errs.Add(name.Errorf(nil, "%q is here already, at %s", name.Text(), at))
			continue
		}
		first[name.Text()] = name.Pos()
	}
}
