package standard

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// A Name is the name of a built-in grade: the type of the key grade, whose schema and errors list
// all grades.
type Name string

// UnmarshalText accepts any word; the schema checks it against ConfigValues.
func (n *Name) UnmarshalText(text []byte) error {
	*n = Name(text)
	return nil
}

// ConfigValues returns the names of all built-in grades.
func (Name) ConfigValues() []string { return Grades() }

// Grades lists the names of the built-in grades, sorted. Callers may write to the result.
func Grades() []string { return slices.Clone(gradeNames()) }

// gradeNames reads the names alone: what a grade holds is read by Find.
var gradeNames = sync.OnceValue(func() []string {
	var out []string
	for _, b := range standards {
		var f struct {
			Grades map[string]json.RawMessage `json:"grades"`
		}
		if err := json.Unmarshal(uncomment(b.text), &f); err != nil {
			panic(fmt.Sprintf("dram: %s: %s", b.name, err))
		}
		out = slices.AppendSeq(out, maps.Keys(f.Grades))
	}
	slices.Sort(out)
	return out
})
