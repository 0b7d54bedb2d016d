package trace

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// members reads the members of a gzip file in turn, as the library does, but distinguishes
// trailing data from a truncated file.
type members struct {
	z   *gzip.Reader
	src *bufio.Reader
}

var errBehind = errors.New("the compressed data end, and what follows them is no gzip")

func newMembers(src *bufio.Reader) (*members, error) {
	z, err := gzip.NewReader(src)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &members{z, src}, nil
}

// Read implements io.Reader.
func (m *members) Read(b []byte) (int, error) {
	for {
		n, err := m.z.Read(b)
		if err != io.EOF {
			return n, err
		}
		if n > 0 { // the end of the member comes again
			return n, nil
		}
		switch head, err := m.src.Peek(2); {
		case len(head) == 0 && err == io.EOF:
			return 0, io.EOF
		case len(head) == 0:
			return 0, err
		case head[0] != 0x1f || len(head) > 1 && head[1] != 0x8b:
			return 0, errBehind
		}
		if err := m.z.Reset(m.src); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		m.z.Multistream(false)
	}
}
