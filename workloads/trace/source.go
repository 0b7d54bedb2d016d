package trace

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// bufferSize is the size of the read buffer, and of the longest head that is sniffed.
const bufferSize = 1 << 18

// headSize is how much of a file is looked at to find its format.
const headSize = 1 << 16

// A Source is an opened file after decompression.
type Source struct {
	Name        string // for messages
	Compression string // gz, xz, zst, bz2 or ""
	r           *bufio.Reader
	raw         counter
	size        int64 // of the file itself; 0 if unknown
	unended     int   // the last line, if the file ends in the middle of it
	closers     []func() error
	// openSibling opens a file that belongs to this one, by its name in the same
	// folder; nil where there is no folder.
	openSibling func(name string) (*Source, error)
}

// counter counts the bytes read, for Progress from other goroutines.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// Bytes is a Source over b, which may be compressed.
func Bytes(name string, b []byte) (*Source, error) {
	return newSource(name, bytes.NewReader(b), int64(len(b)))
}

// openSource opens the file at path.
func openSource(path string) (*Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	size := int64(0)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	s, err := newSource(path, f, size)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.closers = append(s.closers, f.Close)
	s.openSibling = func(name string) (*Source, error) { return openSource(filepath.Join(filepath.Dir(path), name)) }
	return s, nil
}

// newSource looks for the marks of gzip, xz, zstd and bzip2.
func newSource(name string, r io.Reader, size int64) (*Source, error) {
	s := &Source{Name: name, size: size}
	s.raw.r = r
	outer := bufio.NewReaderSize(&s.raw, bufferSize)
	magic, _ := outer.Peek(6)
	var inner io.Reader
	var err error
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		s.Compression = "gz"
		inner, err = newMembers(outer)
	case bytes.HasPrefix(magic, []byte{0xfd, '7', 'z', 'X', 'Z', 0}):
		s.Compression = "xz"
		inner, err = xz.NewReader(outer)
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		s.Compression = "zst"
		var d *zstd.Decoder
		d, err = zstd.NewReader(outer, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<30))
		if err == nil {
			s.closers = append(s.closers, func() error { d.Close(); return nil })
			inner = d
		}
	case bytes.HasPrefix(magic, []byte("BZh")):
		s.Compression = "bz2"
		inner = bzip2.NewReader(outer)
	default:
		s.r = outer
		return s, nil
	}
	if err != nil {
		return nil, &Error{File: name, Msg: fmt.Sprintf("cannot decompress: %v", err), Err: err}
	}
	s.r = bufio.NewReaderSize(inner, bufferSize)
	return s, nil
}

// head returns the begin of the file; whole is set if it is the whole file.
func (s *Source) head() (b []byte, whole bool, err error) {
	b, err = s.r.Peek(headSize)
	switch {
	case err == nil:
		return b, false, nil
	case err == io.EOF:
		return b, true, nil
	case len(b) > 0:
		return b, false, nil // the reader comes to it in its own time
	}
	return nil, false, s.broken(err, Pos{})
}

// broken is a failure of reading at p.
func (s *Source) broken(err error, p Pos) *Error {
	what := "cannot read"
	if s.Compression != "" {
		what = "cannot decompress"
	}
	if err == io.ErrUnexpectedEOF {
		return &Error{File: s.Name, Pos: p, Msg: what + ": the file is cut off", Err: err}
	}
	return &Error{File: s.Name, Pos: p, Msg: fmt.Sprintf("%s: %v", what, err), Err: err}
}

// Progress returns the bytes of the file that have been read, and its size. Any goroutine may call
// it.
func (s *Source) Progress() (read, size int64) { return s.raw.n.Load(), s.size }

// Unended returns the number of the last line of a text if it has no newline, after it has been
// read: the file may be truncated there. Otherwise it returns 0.
func (s *Source) Unended() int { return s.unended }

// Close closes the file.
func (s *Source) Close() error {
	var err error
	for _, f := range s.closers {
		if e := f(); err == nil {
			err = e
		}
	}
	s.closers = nil
	return err
}

// Compress returns a writer that compresses into w: gz, xz, zst, or "" for none. Close ends the
// stream and leaves w open.
func Compress(w io.Writer, how string) (io.WriteCloser, error) {
	switch how {
	case "":
		return plain{w}, nil
	case "gz":
		return gzip.NewWriter(w), nil
	case "xz":
		return xz.NewWriter(w)
	case "zst":
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return nil, fmt.Errorf("cannot compress as %q (want one of: gz, xz, zst)", how)
}

// CompressionOf returns the compression of a file by the extension of its name: "gz" for
// trace.csv.gz.
func CompressionOf(name string) string {
	switch filepath.Ext(name) {
	case ".gz":
		return "gz"
	case ".xz":
		return "xz"
	case ".zst", ".zstd":
		return "zst"
	}
	return ""
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }
