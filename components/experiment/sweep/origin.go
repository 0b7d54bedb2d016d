package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
)

// OriginSchema names the layout of command.json.
const OriginSchema = "causeway-command/1"

// An Origin holds the inputs of a sweep. The sweep's folder has it as command.json, so that the
// sweep can be continued from the folder alone.
type Origin struct {
	Schema string   `json:"schema"`
	File   string   `json:"file"` // absolute
	Set    []string `json:"set,omitempty"`
	Axes   []string `json:"axes,omitempty"`
	Points []int    `json:"points,omitempty"` // of the grid, where some were picked
	Inputs string   `json:"inputs,omitempty"` // folder that inputs: stands for, absolute
	// Illegal is the value of the flag for illegal points, if it was given.
	Illegal string `json:"illegal,omitempty"`
}

// originFile is its name.
const originFile = "command.json"

// newOrigin is the origin of a sweep from these arguments of Load.
func newOrigin(file string, o experiment.Options, axes []string) Origin {
	out := Origin{Schema: OriginSchema, File: file, Set: o.Set, Axes: axes, Inputs: o.Inputs}
	if out.Inputs == "" {
		out.Inputs = os.Getenv("CAUSEWAY_INPUTS")
	}
	if abs, err := filepath.Abs(file); err == nil {
		out.File = abs
	}
	if abs, err := filepath.Abs(out.Inputs); err == nil && out.Inputs != "" {
		out.Inputs = abs
	}
	return out
}

// save writes the origin into the sweep's folder.
func (o Origin) save(dir string) error {
	if o.File == "" {
		return nil // made by a program, which has to know itself
	}
	b, err := json.MarshalIndent(o, "", " ")
	if err != nil {
		return err
	}
	b = append(b, '\n')
	path := filepath.Join(dir, originFile)
	if old, err := os.ReadFile(path); err == nil && string(old) == string(b) {
		return nil
	}
	return atomicfile.Write(path, b)
}

// Open returns the sweep of the folder dir. o says how it runs; Set and Inputs of o are used only
// if the folder has none.
func Open(dir string, o experiment.Options) (*Sweep, error) {
	b, err := os.ReadFile(filepath.Join(dir, originFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no folder of a sweep: it has no %s", dir, originFile)
	}
	if err != nil {
		return nil, err
	}
	var from Origin
	if err := json.Unmarshal(b, &from); err != nil || from.Schema != OriginSchema {
		return nil, fmt.Errorf("%s: is not of schema %s", filepath.Join(dir, originFile), OriginSchema)
	}
	o.Set = from.Set
	if o.Inputs == "" {
		o.Inputs = from.Inputs
	}
	s, err := Load(from.File, o, from.Axes...)
	if err != nil {
		return nil, err
	}
	s.Dir, s.origin = dir, from
	if from.Illegal != "" {
		s.Illegal = from.Illegal
	}
	if from.Points != nil {
		s.Pick(from.Points)
	}
	return s, nil
}
