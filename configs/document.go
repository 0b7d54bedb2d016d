package configs

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Version is the value of the key schema of a configuration.
const Version = "causeway/1"

var sections = []string{"schema", "extends", "params", "presets", "workload", "workloads", "mapping",
	"collectives", "groups", "nodes", "links", "memory", "placement", "energy", "cost", "thermal", "simulation"}

// Sections lists the top-level keys of the language, in the order of a resolved configuration.
func Sections() []string { return slices.Clone(sections) }

// Options say how a configuration is loaded.
type Options struct {
	Set      []string                          // path=value, in order; the later one wins
	Inputs   string                            // what inputs:x is relative to; "" takes CAUSEWAY_INPUTS
	Dir      string                            // what file names in the main file are relative to; "" is where it lies
	SetDir   string                            // what file names in Set are relative to; "" is the working directory
	ReadFile func(name string) ([]byte, error) // reads configurations; nil reads the disk
	Presets  fs.FS                             // NAME.yaml files; nil takes the built-in ones
	Sections []string                          // top-level keys accepted besides those of the language
}

// A Document is one resolved configuration: extends, overrides, parameters and presets are filled
// in.
type Document struct {
	Root  Value    // the resolved tree, keys in file order
	Files []string // every file read, in the order of reading, for hashing

	name   string
	loader *Loader
}

// Load reads a configuration file. The error is an Errors with all errors. A document returned
// with an error lacks only the wrong values, so that the caller can collect more errors.
func Load(file string, opts Options) (*Document, error) {
	return NewLoader(opts).Load(file, opts.Set...)
}

// Parse is like Load, but takes the text of the file; name is the file's name in errors.
func Parse(name string, src []byte, opts Options) (*Document, error) {
	return NewLoader(opts).Parse(name, src, opts.Set...)
}

func (o Options) read(name string) ([]byte, error) {
	if o.ReadFile != nil {
		return o.ReadFile(name)
	}
	return os.ReadFile(name)
}

// known lists the accepted top-level keys.
func (o Options) known() []string { return append(Sections(), o.Sections...) }

// dir is what file names in the main file are relative to.
func (d *Document) dir() string {
	if d.loader.opts.Dir != "" {
		return d.loader.opts.Dir
	}
	return filepath.Dir(d.name)
}

// resolve fills in everything that the merged tree leaves open, in this order:
// overrides, parameters, presets. An override may so name a parameter, and a
// preset chosen by an override counts.
func (d *Document) resolve(sets []string) error {
	var errs Errors
	root := d.Root.n
	for i, s := range sets {
		next, err := d.loader.override(root, s, i+1)
		errs.Add(err)
		if err == nil {
			root = next
		}
	}
	s := newScope(Value{n: root}.Get("params"), &errs)
	v := Value{n: root}
	root = root.mapped(func(key string, n *node) *node {
		switch key {
		case "params":
			return s.resolved(n)
		case "groups":
			return s.groups(v.Get(key))
		}
		return s.fill(v.Get(key))
	})
	d.Root = Value{n: root}
	d.expandNodes(&errs)
	d.Root.n = prune(d.Root.n)
	checkNodes(d.Root, &errs)
	d.rebase()
	return errs.Err()
}
