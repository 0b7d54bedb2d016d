package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// SetFile is the file name in the positions of values given by --set.
const SetFile = "--set"

// ErrNoInputs is wrapped by the error for a file inputs:x/y if no directory of inputs is set.
var ErrNoInputs = errors.New("no directory of inputs")

// InputsDir returns the directory of the prefix inputs: in file names: given, else
// CAUSEWAY_INPUTS, else "".
func InputsDir(given string) string {
	if given == "" {
		return os.Getenv("CAUSEWAY_INPUTS")
	}
	return given
}

// ResolveFile returns the path of the file that v names: relative to the file that has v (for
// --set, to the working directory), or for inputs:x/y to the directory of inputs. A missing file
// is an error, unless the name has a %, which stands for several files.
func (d *Document) ResolveFile(v Value) (string, error) {
	name, err := v.String()
	if err != nil {
		return "", err
	}
	path, inputs := name, ""
	if rest, ok := strings.CutPrefix(name, "inputs:"); ok {
		root := InputsDir(d.loader.opts.Inputs)
		switch {
		case root == "":
			e := v.Errorf(nil, "%q needs the environment variable CAUSEWAY_INPUTS", name)
			e.Cause = ErrNoInputs
			return "", e
		case !filepath.IsLocal(filepath.FromSlash(rest)):
			return "", v.Errorf(nil, "%q leaves the directory of inputs", name)
		}
		path, inputs = filepath.Join(root, filepath.FromSlash(rest)), root
	} else if !filepath.IsAbs(name) {
		path = filepath.Join(d.dirOf(v), filepath.FromSlash(name))
	}
	if strings.Contains(name, "%") {
		return path, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		e := v.Errorf(nil, "no file %q%s", v.given(), looked(v.given(), path))
		if inputs != "" {
			e = v.Errorf(nil, "no file %q below %s", name, inputs)
		}
		e.Nearest = nearestFile(path)
		return "", e
	case err != nil:
		return "", v.Errorf(nil, "%s", err)
	case info.IsDir():
		return "", v.Errorf(nil, "%q is a directory", name)
	}
	return path, nil
}

// given is the file name as its author wrote it, before it was made relative to the
// main file.
func (v Value) given() string {
	if v.n.rebased {
		return v.n.given
	}
	return v.n.text
}

// looked is the text about the folders that were searched for a file.
func looked(name, path string) string {
	if filepath.Clean(filepath.FromSlash(name)) != path {
		return ": there is no " + path
	}
	if filepath.IsAbs(path) {
		return ""
	}
	return " in the working directory"
}

// dir is the directory of the file that supplied the value.
func (v Value) dir() string {
	at := v.n.source()
	if at.File == SetFile {
		return "."
	}
	return filepath.Dir(at.File)
}

// dirOf is dir, where the main file may lie elsewhere than it was meant for.
func (d *Document) dirOf(v Value) string {
	at := v.n.source()
	switch {
	case v.n.rebased || at.File == d.name:
		return d.dir()
	case at.File == SetFile && d.loader.opts.SetDir != "":
		return d.loader.opts.SetDir
	}
	return v.dir()
}

// rebase rewrites the file names (keys file, ops and *_file) that other files or
// overrides gave, so that the resolved configuration stands for itself.
func (d *Document) rebase() {
	dir := d.dir()
	var walk func(n *node) *node
	walk = func(n *node) *node {
		return n.mapped(func(key string, x *node) *node {
			switch {
			case key == "ports" && x.kind == Map: // of a group: its keys are free names
				return x
			case x.kind == Map || x.kind == List:
				return walk(x)
			case x.kind == String && (key == "file" || key == "ops" || strings.HasSuffix(key, "_file")):
				return d.moved(Value{n: x}, dir)
			}
			return x
		})
	}
	d.Root.n = walk(d.Root.n)
}

func (d *Document) moved(v Value, dir string) *node {
	from := d.dirOf(v)
	if from == dir || strings.HasPrefix(v.n.text, "inputs:") || filepath.IsAbs(v.n.text) {
		return v.n
	}
	rel, err := filepath.Rel(dir, filepath.Join(from, filepath.FromSlash(v.n.text)))
	if err != nil {
		return v.n // no way from one to the other: the name stays as it is
	}
	out := *v.n
	out.text, out.rebased, out.given = filepath.ToSlash(rel), true, v.n.text
	return &out
}

func nearestFile(path string) string {
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return Nearest(filepath.Base(path), names)
}
