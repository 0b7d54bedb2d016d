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

// Options bind what a file leaves open. The zero value takes what the file
// says.
type Options struct {
	Batch    int    // 0: as the file says, or 1
	Sequence int    // tokens of one prompt; for language models
	Context  int    // tokens already in the KV cache; for decode
	Phase    string // prefill or decode; empty: prefill
	// Experts is how tokens fall on the experts of a mixture; for language models.
	Experts zoo.Draw
	// Groups is a batch of unlike requests in place of the four sizes above; for language
	// models.
	Groups []zoo.Group
	// Only are the layers of a decoder that are built; nil: all.
	Only []int
	// Symbols are the values of symbolic dimensions, by name.
	Symbols map[string]int
	// Unknown says what becomes of operators without a rule, by name: Elementwise or Free.
	// Only ONNX has such operators.
	Unknown map[string]string
	Name    string // of the graph; empty: the file's name without extension
	// DTypes are the element types of the tensors by role. The zero value leaves
	// those of the file, which are int8 if it names none.
	DTypes graph.DTypes
}

// A Source is an opened input. Readers seek in it, so that a file of many
// gigabytes of weights costs only what is read of it.
type Source struct {
	Name string // for messages
	Size int64
	R    io.ReaderAt
}

// Bytes is a Source over b.
func Bytes(name string, b []byte) Source {
	return Source{Name: name, Size: int64(len(b)), R: bytes.NewReader(b)}
}

// ReadAll reads the whole source. Text formats are small: more than limit bytes are
// refused before anything is allocated.
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
	// Sniff says how sure it is that the input is of this format: 0 not at all,
	// 100 certain. Head holds the first bytes of the input (at most HeadSize).
	// The name counts for little: content decides.
	Sniff(name string, head []byte) int
	// Read builds the graph. Errors are *Error, joined when there are several.
	Read(src Source, o Options) (*graph.Graph, error)
}

// HeadSize is how many bytes Sniff gets to see.
const HeadSize = 8192

// All holds the formats by name.
var All = registry.New[Reader]("workload format")

// Open reads the model in the file path, whatever its format, and returns the
// format's name too.
func Open(path string, o Options) (*graph.Graph, string, error) {
	src, done, err := OpenFile(path)
	if err != nil {
		return nil, "", err
	}
	defer done()
	return Read(src, o)
}

// Read is Open on an opened source.
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

// Sniff finds the reader that is surest of the source. Ties go to the first
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

// IsText says whether head can be a text file: no control bytes but white
// space.
func IsText(head []byte) bool {
	return len(head) > 0 && !slices.ContainsFunc(head, func(c byte) bool {
		return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f'
	})
}
