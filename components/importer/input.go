package importer

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A File is one that may be a configuration.
type File struct {
	Path string
	Text string // "" of a file that is not a text, or too large to be a configuration
}

// maxText bounds the bytes of a configuration; traces are larger, and only named.
const maxText = 4 << 20

// Input is what is imported.
type Input struct {
	Name     string // for messages: the files and folders as they were given
	Files    []File // those given, and all that lie in given folders, by name
	Topology string // of SCALE-Sim: the file of layers, if it was given
	Out      string // folder that file names in the result are relative to
	Stem     string // name of the result without its ending; further files begin with it
	folders  bool   // a folder was given that has folders in it
}

// Open reads files and folders. Folders within folders are not read.
func Open(paths ...string) (*Input, error) {
	in := &Input{Name: strings.Join(paths, " ")}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			if err := in.add(path, info); err != nil {
				return nil, err
			}
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			file := filepath.Join(path, e.Name())
			info, err := os.Stat(file)
			if err != nil || !info.Mode().IsRegular() {
				in.folders = in.folders || err == nil && info.IsDir()
				continue
			}
			if err := in.add(file, info); err != nil {
				return nil, err
			}
		}
	}
	if len(in.Files) == 0 {
		return nil, fmt.Errorf("%s: no files%s", in.Name, in.deeper())
	}
	return in, nil
}

// deeper says what to do where a given folder has folders in it.
func (in *Input) deeper() string {
	if !in.folders {
		return ""
	}
	return "; folders within a folder are not read: name the files (" + filepath.Join(in.Name, "*", "*.yaml") + ")"
}

// add reads a file.
func (in *Input) add(path string, info fs.FileInfo) error {
	f := File{Path: filepath.Clean(path)}
	if info.Size() <= maxText {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !strings.Contains(string(text), "\x00") {
			f.Text = string(text)
		}
	}
	in.Add(f)
	return nil
}

// Add adds files that are not there.
func (in *Input) Add(files ...File) {
	for _, f := range files {
		if !slices.ContainsFunc(in.Files, func(g File) bool { return g.Path == f.Path }) {
			in.Files = append(in.Files, f)
		}
	}
}

// Named is a file that another one names: an absolute path, or one from the folder of that file.
func Named(by, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(by), path)
}

// Refer is the name of a file in the result: relative to the folder of the result.
func (in *Input) Refer(path string) string {
	out, err := filepath.Abs(in.Out)
	if err != nil {
		return path
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(out, full)
	if err != nil {
		return full
	}
	return filepath.ToSlash(rel)
}

// Only is the one file for which is holds; what it is goes into the error if none or several are.
func (in *Input) Only(what string, is func(File) bool) (File, error) {
	var found []File
	var names []string
	for _, f := range in.Files {
		if is(f) {
			found = append(found, f)
			names = append(names, f.Path)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return File{}, fmt.Errorf("%s: no %s%s", in.Name, what, in.deeper())
	}
	return File{}, fmt.Errorf("%s: more than one %s (want one of: %s)", in.Name, what, strings.Join(names, ", "))
}
