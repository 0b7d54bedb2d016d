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
	// sniff says how sure it is that a file which begins with head is of this
	// format: 0 not at all, 100 certain.
	sniff func(head []byte) int
	// read adds a file to what is being built.
	read func(in *input, b *building) error
	// finish is called when all files are read; nil where there is nothing to do.
	finish func(b *building) error
}

// All holds the formats by name.
var All = registry.New[Format]("communication trace format")

// headSize is how much of a file is looked at to find its format.
const headSize = 4096

// An input is one file.
type input struct {
	name string
	rank int // whose it is, in formats of one file per rank
	size int64
	at   io.ReaderAt
}

// reader is a buffered reader of the whole file.
func (in *input) reader() *bufio.Reader { return in.section(0, in.size) }

// section reads the bytes from and below to.
func (in *input) section(from, to int64) *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(in.at, from, max(0, to-from)), 1<<16)
}

func (in *input) head() []byte {
	b := make([]byte, min(headSize, in.size))
	n, _ := in.at.ReadAt(b, 0) // an error comes again when the file is read
	return b[:n]
}

// A building is a program in the making.
type building struct {
	options Options
	ranks   map[int]*Rank
	n       int    // ranks, where a file says so; 0: as many as there are
	file    string // the last one, for messages about all of it
	dumpi   *dumpiWorld
	chakra  chakraGroups
	program *Program // of formats that make it themselves
}

// rank returns rank n, which is there only once.
func (b *building) rank(n int) (*Rank, bool) {
	if b.ranks[n] != nil {
		return nil, false
	}
	r := &Rank{}
	b.ranks[n] = r
	return r, true
}
