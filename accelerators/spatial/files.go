package spatial

import (
	"os"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/design"
	"github.com/causeway-sim/causeway/accelerators/nest/timeloop"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// An input is a nest in either form, with what tells where in its files a mapping is
// wrong.
type input struct {
	*nest.Description
	legal   func(*nest.Nest) error
	level   func(int) configs.Value // where a level is described, or nil
	form    string                  // of the input: causeway or timeloop
	unused  []string                // keys of Timeloop's files without an effect
	unknown []timeloop.Unknown      // attributes that Timeloop does not know
}

// Forms lists the arguments of Mapping.
var Forms = []string{"causeway", "timeloop", "whole"}

// files reads the files that a node names.
type files struct {
	env  *system.Env
	v    configs.Value // of the node
	spec *Spec
	errs configs.Errors
}

// read reads a nest: of the node's own keys, or of the files that it names.
func read(env *system.Env, v configs.Value, s *Spec) (*input, error) {
	f := &files{env: env, v: v, spec: s}
	in := f.input()
	if err := f.errs.Err(); err != nil {
		return nil, err
	}
	return in, nil
}

func (f *files) input() *input {
	if f.spec.InputFile == "" {
		f.unusedFiles("input_file gives no file of Timeloop's")
		if len(f.spec.Levels) == 0 {
			f.errs.Add(f.v.Errorf(nil, "has neither levels nor an input_file (see configs/examples/nest.yaml and timeloop.yaml)"))
			return nil
		}
		return f.own(design.Read(f.v, &f.spec.Spec, hertz(f.spec)))
	}
	for _, key := range []string{"levels", "problem", "mapping", "compute", "word"} {
		if x := f.v.Get(key); x.Exists() {
			f.errs.Add(x.Errorf(nil, "does not go with input_file, which says it"))
		}
	}
	text, ok := f.text("input_file", f.spec.InputFile)
	if !ok {
		return nil
	}
	if v, err := configs.ParseValue(text.Name, text.Text); err == nil && v.Get("levels").Exists() {
		f.unusedFiles("the input is in Causeway's form")
		if x := f.v.Get("energy"); x.Exists() {
			f.errs.Add(x.Errorf(nil, "does not go with an input_file in Causeway's form, which says it"))
		}
		return f.own(design.ReadFile(v, hertz(f.spec)))
	}
	return f.timeloops(text)
}

// own reads an input in Causeway's form; a mapping file replaces its mapping.
func (f *files) own(in *design.Input, err error) *input {
	if err != nil {
		f.errs.Add(err)
		return nil
	}
	out := &input{Description: &in.Description, legal: in.Legal, level: in.LevelAt, form: Forms[0]}
	if f.spec.MappingFile != "" {
		if text, ok := f.text("mapping_file", f.spec.MappingFile); ok {
			f.remap(out, text)
		}
	}
	return out
}

// remap puts the mapping of a file, in either form, in the place of an input's.
func (f *files) remap(in *input, text timeloop.Source) {
	if v, ok := ownMapping(text); ok {
		x, err := design.ReadMapping(in.Description, v)
		if f.errs.Add(err); err == nil {
			in.Description, in.legal = &x.Description, x.Legal
		}
		return
	}
	x, err := timeloop.ReadMapping(in.Description, text)
	if f.errs.Add(err); err == nil {
		in.Description, in.legal = &x.Description, x.Legal
	}
}

// ownMapping is a file that holds a mapping in Causeway's form: its entries have levels,
// where Timeloop's have targets.
func ownMapping(text timeloop.Source) (configs.Value, bool) {
	v, err := configs.ParseValue(text.Name, text.Text)
	if err != nil {
		return v, false
	}
	items := v.Get("mapping").Items()
	return v, len(items) > 0 && items[0].Get("level").Exists()
}

// unusedFiles complains about files that only Timeloop's form has.
func (f *files) unusedFiles(why string) {
	for _, key := range []string{"problem_file", "constraints_file", "ert_file", "art_file"} {
		if x := f.v.Get(key); x.Exists() && x.Text() != "" {
			f.errs.Add(x.Errorf(nil, "has no effect: %s", why))
		}
	}
}

// timeloops reads Timeloop's files, with the tables in the folder of the input.
func (f *files) timeloops(first timeloop.Source) *input {
	sources := []timeloop.Source{first}
	add := func(key, name string) {
		if name == "" {
			return
		}
		if text, ok := f.text(key, name); ok {
			text.Replaces = true
			sources = append(sources, text)
		}
	}
	add("problem_file", f.spec.ProblemFile)
	add("constraints_file", f.spec.ConstraintsFile)
	var ours *timeloop.Source
	if f.spec.MappingFile != "" {
		if text, ok := f.text("mapping_file", f.spec.MappingFile); ok {
			if _, own := ownMapping(text); own {
				ours = &text
			} else {
				text.Replaces = true
				sources = append(sources, text)
			}
		}
	}
	add("ert_file", f.spec.ERTFile)
	add("art_file", f.spec.ARTFile)
	ert, art := timeloop.Beside(first.Name)
	for _, x := range []struct{ given, found string }{{f.spec.ERTFile, ert}, {f.spec.ARTFile, art}} {
		if x.given != "" || x.found == "" {
			continue
		}
		b, err := os.ReadFile(x.found)
		if err != nil {
			f.errs.Add(f.v.Get("input_file").Errorf(nil, "cannot read %s beside it: %v", x.found, err))
			continue
		}
		sources = append(sources, timeloop.Source{Name: x.found, Text: b})
	}
	if f.errs != nil {
		return nil
	}
	in, err := timeloop.Read(sources...)
	if err != nil {
		f.errs.Add(err)
		return nil
	}
	f.priced(&in.Description)
	out := &input{Description: &in.Description, legal: in.Legal, form: Forms[1], unused: in.Unused, unknown: in.Unknown}
	if ours != nil {
		f.remap(out, *ours)
	}
	return out
}

// priced gives a machine of Timeloop's form without a table of energies published figures.
func (f *files) priced(d *nest.Description) {
	p, at := &f.spec.Energy, f.v.Get("energy")
	for _, key := range []string{"wire", "vector"} {
		if x := at.Get(key); x.Exists() {
			f.errs.Add(x.Errorf(nil, "has no effect on a machine in Timeloop's form"))
		}
	}
	if d.Energies && at.Exists() {
		f.errs.Add(at.Errorf(nil, "has no effect: a table of energies is given (ert_file, or ERT.yaml beside the input)"))
		return
	}
	f.errs.Add(design.Price(d, *p, at))
}

// text is a file that the node names.
func (f *files) text(key, name string) (timeloop.Source, bool) {
	path := name
	if x := f.v.Get(key); x.Exists() { // not made by a program
		var err error
		if path, err = f.env.File(x); err != nil {
			f.errs.Add(err)
			return timeloop.Source{}, false
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		f.errs.Add(f.v.Get(key).Errorf(nil, "cannot read: %v", err))
		return timeloop.Source{}, false
	}
	return timeloop.Source{Name: path, Text: b}, true
}

// hertz is the clock that data rates are of.
func hertz(s *Spec) float64 { return float64(s.Clock.Den()) / float64(s.Clock.Num()) }
