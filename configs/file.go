package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// setFile is the file name in positions of what a --set gave.
const setFile = "--set"

// ResolveFile is the path of the file that v names: relative to the file that
// says so (to the working directory in a --set), or, as inputs:x/y, to the
// directory of inputs. A missing file is an error, except for a name with a %
// in it, which stands for many.
func (d *Document) ResolveFile(v Value) (string, error) {
	name, err := v.String()
	if err != nil {
		return "", err
	}
	path := name
	if rest, ok := strings.CutPrefix(name, "inputs:"); ok {
		root := d.opts.Inputs
		if root == "" {
			root = os.Getenv("CAUSEWAY_INPUTS")
		}
		switch {
		case root == "":
			return "", v.Errorf(nil, "%q needs the environment variable CAUSEWAY_INPUTS", name)
		case !filepath.IsLocal(filepath.FromSlash(rest)):
			return "", v.Errorf(nil, "%q leaves the directory of inputs", name)
		}
		path = filepath.Join(root, filepath.FromSlash(rest))
	} else if !filepath.IsAbs(name) {
		path = filepath.Join(v.dir(), filepath.FromSlash(name))
	}
	if strings.Contains(name, "%") {
		return path, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		e := v.Errorf(nil, "no file %q", name)
		e.Nearest = nearestFile(path)
		return "", e
	case err != nil:
		return "", v.Errorf(nil, "%s", err)
	case info.IsDir():
		return "", v.Errorf(nil, "%q is a directory", name)
	}
	return path, nil
}

// dir is the directory of the file that supplied the value.
func (v Value) dir() string {
	at := v.n.pos
	if v.n.from != nil {
		at = v.n.from.pos
	}
	if at.File == setFile {
		return "."
	}
	return filepath.Dir(at.File)
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
