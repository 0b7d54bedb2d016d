package trace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// A File is an opened trace.
type File struct {
	Reader
	*Source
	Format string // a name in All
}

// Open opens the trace at path, decompresses it, and detects its format unless the options name
// one.
func Open(path string, o Options) (*File, error) {
	s, err := openSource(path)
	if err != nil {
		return nil, err
	}
	f, err := Read(s, o)
	if err != nil {
		s.Close()
		return nil, err
	}
	return f, nil
}

// Read is like Open, for an opened source.
func Read(s *Source, o Options) (*File, error) {
	e, err := s.format(o.Format)
	if err != nil {
		return nil, err
	}
	r, err := e.New.Open(s, o)
	if err != nil {
		return nil, err
	}
	return &File{Reader: r, Source: s, Format: e.Name}, nil
}

// format finds the entry called name or, for "", the one that fits the content
// best. Two that fit equally well are an error, because the user would not notice a wrong
// guess.
func (s *Source) format(name string) (registry.Entry[Format], error) {
	if name != "" {
		e, ok := All.Entry(name)
		if !ok {
			return e, &Error{File: s.Name, Pos: Pos{Offset: -1}, Msg: fmt.Sprintf("unknown trace format %q", name), Want: All.Names()}
		}
		return e, nil
	}
	head, whole, err := s.head()
	if err != nil {
		return registry.Entry[Format]{}, err
	}
	if len(head) == 0 {
		return registry.Entry[Format]{}, &Error{File: s.Name, Msg: "the trace is empty"}
	}
	base := strings.ToLower(filepath.Base(s.Name))
	for _, ext := range []string{".gz", ".xz", ".zst", ".zstd", ".bz2"} {
		base = strings.TrimSuffix(base, ext)
	}
	best := 0
	var fits []registry.Entry[Format]
	for _, e := range All.Entries() {
		n := e.New.Sniff(base, head, whole)
		if n > best {
			best, fits = n, nil
		}
		if n == best && n > 0 {
			fits = append(fits, e)
		}
	}
	switch len(fits) {
	case 0:
		if meantCSV(head, whole) {
			return s.format("csv")
		}
		return registry.Entry[Format]{}, &Error{File: s.Name, Msg: "the content is of no known trace format", Want: All.Names()}
	case 1:
		return fits[0], nil
	}
	var names []string
	for _, e := range fits {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return registry.Entry[Format]{}, &Error{File: s.Name, Pos: Pos{Offset: -1}, Msg: "the content fits several trace formats; name the format", Want: names}
}
