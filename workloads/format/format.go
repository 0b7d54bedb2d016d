package format

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Options set sizes and types that a file leaves open. The zero value takes those of the file.
type Options struct {
	Batch    int    // 0: as the file says, or 1
	Sequence int    // tokens of one prompt; for language models
	Context  int    // tokens already in the KV cache; for decode
	Phase    string // prefill or decode; empty: prefill
	// Experts is the distribution of tokens over experts; for language models.
	Experts zoo.Draw
	// Groups is a batch of requests of different sizes in place of the four sizes above; for
	// language models.
	Groups []zoo.Group
	// Only lists the layers of a decoder to build; nil: all.
	Only []int
	// Symbols are the values of symbolic dimensions, by name.
	Symbols map[string]int
	// Unknown maps operators without a rule to Elementwise or Free. Only ONNX has such operators.
	Unknown map[string]string
	Name    string // of the graph; empty: the file's name without extension
	// DTypes are the element types of the tensors by role. The zero value leaves
	// those of the file, which are int8 if it names none.
	DTypes graph.DTypes
}

// A Source is an opened input with random access, so that a reader can skip gigabytes of weights.
type Source struct {
	Name string // for messages
	Size int64
	R    io.ReaderAt
}

// Bytes is a Source over b.
func Bytes(name string, b []byte) Source {
	return Source{Name: name, Size: int64(len(b)), R: bytes.NewReader(b)}
}

// ReadAll reads the whole source. More than limit bytes are an error, before memory is allocated.
func (s Source) ReadAll(limit int64) ([]byte, error) {
	if s.Size > limit {
		return nil, &Error{File: s.Name, Offset: limit, Msg: fmt.Sprintf("the file has %d bytes, more than the %d that this format may have", s.Size, limit)}
	}
	b := make([]byte, s.Size)
	if n, err := s.R.ReadAt(b, 0); int64(n) < s.Size {
		return nil, &Error{File: s.Name, Offset: int64(n), Msg: fmt.Sprintf("cannot read: %v", err)}
	}
	return b, nil
}

// A Reader reads one format.
type Reader interface {
	// Sniff returns how likely the input has this format, from 0 (not) to 100 (certainly). head
	// holds its first bytes, at most HeadSize. Content decides before the name.
	Sniff(name string, head []byte) int
	// Read builds the graph. Errors are *Error, joined when there are several.
	Read(src Source, o Options) (*graph.Graph, error)
}

// HeadSize is the greatest number of bytes that Sniff gets.
const HeadSize = 8192

// All holds the formats by name.
var All = registry.New[Reader]("workload format")

// Open detects the format of the file at path, reads the model, and returns the name of the
// format.
func Open(path string, o Options) (*graph.Graph, string, error) {
	src, done, err := OpenFile(path)
	if err != nil {
		return nil, "", err
	}
	defer done()
	return Read(src, o)
}

// Read is like Open, for an opened source.
func Read(src Source, o Options) (*graph.Graph, string, error) {
	r, name, err := Sniff(src)
	if err != nil {
		return nil, "", err
	}
	g, err := r.Read(src, o)
	if err != nil {
		return nil, name, err
	}
	if o.DTypes != (graph.DTypes{}) {
		g.SetDTypes(o.DTypes)
	}
	return g, name, nil
}

// Sniff returns the reader with the highest Sniff value for the source; of equal ones the first
// name.
func Sniff(src Source) (Reader, string, error) {
	head := make([]byte, min(src.Size, HeadSize))
	if n, err := src.R.ReadAt(head, 0); n < len(head) {
		return nil, "", &Error{File: src.Name, Offset: int64(n), Msg: fmt.Sprintf("cannot read: %v", err)}
	}
	var best Reader
	var name string
	sure := 0
	for _, e := range All.Entries() {
		if c := e.New.Sniff(src.Name, head); c > sure {
			best, name, sure = e.New, e.Name, c
		}
	}
	if best == nil {
		what := "unknown format of workload file"
		if src.Size == 0 {
			what = "the file is empty"
		}
		return nil, "", &Error{File: src.Name, Offset: -1, Msg: what, Want: All.Names()}
	}
	return best, name, nil
}

// OpenFile opens the file as a Source. The returned function closes it.
func OpenFile(path string) (Source, func(), error) {
	f, err := os.Open(path)
	if err != nil {
		return Source{}, nil, &Error{File: path, Offset: -1, Msg: "cannot open: " + cause(err)}
	}
	st, err := f.Stat()
	if err == nil && st.IsDir() {
		err = fmt.Errorf("it is a directory")
	}
	if err != nil {
		f.Close()
		return Source{}, nil, &Error{File: path, Offset: -1, Msg: "cannot open: " + cause(err)}
	}
	return Source{Name: path, Size: st.Size(), R: f}, func() { f.Close() }, nil
}

// cause is an error without the path that os puts in front of it.
func cause(err error) string {
	if pe, ok := err.(*os.PathError); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// UTF8BOM is the byte order mark with which some programs begin a text file.
var UTF8BOM = []byte("\xef\xbb\xbf")

// IsText reports whether head can be a text file: it has no control bytes except white space.
func IsText(head []byte) bool {
	return len(head) > 0 && !slices.ContainsFunc(head, func(c byte) bool {
		return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f'
	})
}
