package standard

import (
	"bytes"
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

// gradeNames is the names of all built-in grades.
var gradeNames = sync.OnceValue(func() []string {
	var out []string
	for _, b := range standards() {
		out = append(out, b.names...)
	}
	slices.Sort(out)
	return out
})

// namesIn finds the names of the grades of a built-in file without parsing it: the keys that are
// indented by two blanks, after the line grades, which is the last section.
func namesIn(text []byte) (out []string) {
	_, grades, _ := bytes.Cut(text, []byte("\ngrades:\n"))
	for line := range bytes.Lines(grades) {
		if name, ok := bytes.CutSuffix(line, []byte(":\n")); ok && bytes.HasPrefix(name, []byte("  ")) && name[2] != ' ' && name[2] != '#' {
			out = append(out, string(name[2:]))
		}
	}
	return out
}
