package dram

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Own is a standard that is not built in, as the value of the key standard.
type Own struct {
	File string `yaml:"file" doc:"YAML file in the form of those in memory/dram/standard/grades"`
	Name string `yaml:"grade" doc:"Name of the grade, if the file has several"`

	grade *standard.Grade
}

// read finds the grade in the file that the key standard at v names.
func (o *Own) read(env *system.Env, v configs.Value) error {
	if o.File == "" {
		if v.Exists() {
			return v.Errorf(nil, "names no file (want {file: X.yaml, grade: NAME})")
		}
		return nil
	}
	path, err := env.File(v.Get("file"))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		var e *fs.PathError
		errors.As(err, &e)
		return v.Get("file").Errorf(nil, "cannot read: %v", e.Err)
	}
	gs, err := standard.Read(o.File, text)
	if err != nil {
		return err
	}
	var names []string
	for _, g := range gs {
		names = append(names, g.Name)
		if g.Name == o.Name || o.Name == "" && len(gs) == 1 {
			o.grade = g
		}
	}
	switch {
	case o.grade != nil:
		if m := o.grade.Missing(); len(m) > 0 {
			return v.Errorf(nil, "%s: grade %s: %s", o.File, o.grade.Name, strings.Join(m, "; "))
		}
		return nil
	case o.Name == "":
		return v.Errorf(nil, "%s has the grades %s: choose one by the key grade", o.File, strings.Join(names, ", "))
	}
	return v.Get("grade").Errorf(names, "%s has no grade %q", o.File, o.Name)
}

// find returns the grade of the memory.
func (s Spec) find() (*standard.Grade, error) {
	if s.Standard.grade != nil {
		return s.Standard.grade, nil
	}
	g, ok := standard.Find(string(s.Grade))
	if !ok {
		return nil, fault("grade", "unknown grade %q (want one of: %s)", s.Grade, strings.Join(standard.Grades(), ", "))
	}
	return g, nil
}
