package comm

import (
	"bufio"
	"io"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Format is one file format.
type Format struct {
	// PerRank formats have one file for each rank.
	PerRank bool
	// Sniff returns how likely a file that begins with head has this format, from 0 (not) to 100
	// (certainly). head has 4 KiB, or all of a smaller file.
	Sniff func(head []byte) int
	// Reader makes a reader that adds the files of one trace to b.
	Reader func(b *Builder) Reader
}

// A Reader reads the files of one trace in turn.
type Reader interface {
	// Read adds the ranks of a file. Errors are *Error and name the place in the file.
	Read(in *Input) error
	// Finish is called once after the last file. The program has its ranks, whose
	// dependencies are not sorted yet, and group 0; Finish adds other groups.
	Finish(p *Program) error
}

// Files returns a Format.Reader for a format whose files are independent of each other.
func Files(read func(in *Input, b *Builder) error) func(*Builder) Reader {
	return func(b *Builder) Reader { return files{read, b} }
}

type files struct {
	read func(in *Input, b *Builder) error
	b    *Builder
}

func (f files) Read(in *Input) error  { return f.read(in, f.b) }
func (f files) Finish(*Program) error { return nil }

// All holds the formats by name.
var All = registry.New[Format]("communication trace format")

// headSize is how many bytes of a file Format.Sniff gets.
const headSize = 4096

// An Input is one file of a trace, or one member of an archive.
type Input struct {
	Name string // for messages
	Rank int    // whose it is, in formats of one file per rank
	Size int64  // bytes
	At   io.ReaderAt
}

// Reader returns a buffered reader of the whole file.
func (in *Input) Reader() *bufio.Reader { return in.Section(0, in.Size) }

// Section returns a buffered reader of the bytes from up to to, which is not read.
func (in *Input) Section(from, to int64) *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(in.At, from, max(0, to-from)), 1<<16)
}

func (in *Input) head() []byte {
	b := make([]byte, min(headSize, in.Size))
	n, _ := in.At.ReadAt(b, 0) // an error comes again when the file is read
	return b[:n]
}

// A Builder collects the ranks of a program while its files are read.
type Builder struct {
	// N is the number of ranks, where a file states it; 0: as many as were added.
	N     int
	ranks map[int]*Rank
}

// Rank adds rank n and returns it, empty; false if it was added before.
func (b *Builder) Rank(n int) (*Rank, bool) {
	if b.ranks[n] != nil {
		return nil, false
	}
	r := &Rank{}
	b.ranks[n] = r
	return r, true
}
