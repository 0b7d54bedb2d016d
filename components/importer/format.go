package importer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Format reads the configurations of one tool.
type Format struct {
	Title string // name of the tool, with its version
	Keys  []Key  // all keys of the tool
	// Topology says that layers come from a file of their own (Input.Topology).
	Topology bool
	// Unknown says what the tool does with a key that it does not know. With Strict it ends with an
	// error, and so does the import; else the import lists the key first.
	Unknown string
	Strict  bool
	// Recognise reports whether the content of a file is a configuration of the tool.
	Recognise func(f File) bool
	// Convert asks the reader for settings of the input and fills the draft. It adds errors of
	// values to the reader; its own error is one of the input as a whole.
	Convert func(in *Input, r *Reader, d *Draft) error
}

// All are the formats by the name of their tool.
var All = registry.New[Format]("tool")

// A Key is one setting of a tool: either Ours or Why is not empty.
type Key struct {
	Name string // a.b.* stands for all settings inside a.b, which are left
	Ours string // key of ours that its value goes to, as pages show it
	Why  string // reason that it is not carried over
	// Needed says that the tool ends with an error without the key. The import takes the tool's
	// usual value, unless the input has a key that looks like this one misspelt.
	Needed bool
	// Same are values of a key without Ours with which nothing is lost: they say what always
	// holds here.
	Same []string
}

// Choose finds the format of an input: the one called name, else the only one that recognises a
// file of it.
func Choose(in *Input, name string) (Format, error) {
	want := fmt.Sprintf("want --from one of: %s", strings.Join(All.Names(), ", "))
	if name != "" {
		e, ok := All.Entry(name)
		if !ok {
			return Format{}, fmt.Errorf("--from: unknown tool %q (%s)", name, want)
		}
		return e.New, nil
	}
	var found []string
	for _, e := range All.Entries() {
		for _, f := range in.Files {
			if e.New.Recognise(f) {
				found = append(found, e.Name)
				break
			}
		}
	}
	switch len(found) {
	case 1:
		e, _ := All.Entry(found[0])
		return e.New, nil
	case 0:
		return Format{}, fmt.Errorf("%s: not a configuration of a tool that is known (%s)%s", in.Name, want, in.deeper())
	}
	return Format{}, fmt.Errorf("%s: may be of %s (want --from one of: %s)", in.Name, strings.Join(found, " or "), strings.Join(found, ", "))
}

// Convert carries an input over. The draft has what was left out.
func Convert(f Format, in *Input) (*Draft, error) {
	r, d := NewReader(f), &Draft{Title: f.Title, Of: in.Name, stem: in.Stem, unknown: f.Unknown}
	err := f.Convert(in, r, d)
	d.Unknown = r.unknown()
	if err := errors.Join(append(r.errs, err)...); err != nil {
		return nil, err
	}
	r.account(d)
	return d, nil
}

// Entry is an entry of All.
type Entry = registry.Entry[Format]
