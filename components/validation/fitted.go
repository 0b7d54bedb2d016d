package validation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// FittedSuffix is the ending of files with fitted values only. causeway fit writes them, machines
// of a study extend them, and published.yaml declares every value in them.
const FittedSuffix = ".fitted.yaml"

// A Fitted declares values that were fitted to measurements.
type Fitted struct {
	File string   `yaml:"file"` // the FittedSuffix file that holds them, relative to the study
	Path []string `yaml:"path"` // of the values, as after --set
	On   []string `yaml:"on"`   // measurements; their rows under fitted: counted
	Runs []string `yaml:"runs"` // runs whose points they were fitted to
}

// checkFitted compares the declarations with the files: a value without a declaration, and
// a declaration without a value, are errors.
func (s *Study) checkFitted(doc configs.Value) error {
	var errs configs.Errors
	items := doc.Get("fitted").Items()
	declared := map[string][]string{}
	for i := range s.Fitted {
		f, v := &s.Fitted[i], items[i]
		for _, on := range f.On {
			m := s.measurement(on)
			switch {
			case m == nil:
				errs = append(errs, v.Place("on").Errorf(s.measurementNames(), "no measurement %q", on))
			case m.Fitted.empty():
				errs = append(errs, v.Place("on").Errorf(nil, "measurement %q does not say which rows are fitted on (fitted: {every: 2})", on))
			}
		}
		for _, on := range f.Runs {
			if _, ok := s.Runs[on]; !ok {
				errs = append(errs, v.Place("runs").Errorf(sortedKeys(s.Runs), "no run %q", on))
			}
		}
		if len(f.On)+len(f.Runs) == 0 {
			errs = append(errs, v.Place("on").Errorf(s.measurementNames(), "fitted on nothing"))
		}
		declared[f.File] = append(declared[f.File], f.Path...)
	}
	files, _ := filepath.Glob(filepath.Join(s.Dir, "*", "*"+FittedSuffix))
	here, _ := filepath.Glob(filepath.Join(s.Dir, "*"+FittedSuffix))
	seen := map[string]bool{}
	for _, path := range append(here, files...) {
		rel, err := filepath.Rel(s.Dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		seen[name] = true
		values, err := fittedValues(path)
		if err != nil {
			errs.Add(err)
			continue
		}
		var have []string
		for _, v := range values {
			have = append(have, v.path)
			if !slices.Contains(declared[name], v.path) {
				errs = append(errs, v.at.Errorf(nil, "%s is a fitted value that published.yaml does not declare (fitted: [{file: %s, path: [%s], on: [...]}])", v.path, name, v.path))
			}
		}
		for i := range s.Fitted {
			for _, p := range s.Fitted[i].Path {
				if s.Fitted[i].File == name && !slices.Contains(have, p) {
					errs = append(errs, items[i].Place("path").Errorf(have, "%s holds no value %s", name, p))
				}
			}
		}
	}
	for i := range s.Fitted {
		if !seen[s.Fitted[i].File] {
			errs = append(errs, items[i].Place("file").Errorf(nil, "no file %q of fitted values (their names end in %s)", s.Fitted[i].File, FittedSuffix))
		}
	}
	return errs.Err()
}

// A fittedValue is one value of a file, with the path that sets it.
type fittedValue struct {
	path string
	at   configs.Value
}

// fittedValues lists what a file sets: keys of nodes, of sections and parameters.
func fittedValues(path string) ([]fittedValue, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	root, err := configs.ParseValue(path, text)
	if err != nil {
		return nil, err
	}
	var out []fittedValue
	var walk func(v configs.Value, path string)
	walk = func(v configs.Value, path string) {
		if v.Kind() == configs.Map {
			for _, k := range v.Keys() {
				walk(v.Get(k), strings.TrimPrefix(path+"."+k, "."))
			}
			return
		}
		out = append(out, fittedValue{path, v})
	}
	for _, k := range root.Keys() {
		switch k {
		case "schema", "extends":
		case "nodes":
			for _, n := range root.Get(k).Items() {
				for _, key := range n.Keys() {
					if key != "name" {
						walk(n.Get(key), n.Get("name").Text()+"."+key)
					}
				}
			}
		case "params":
			walk(root.Get(k), "")
		default:
			walk(root.Get(k), k)
		}
	}
	return out, nil
}
