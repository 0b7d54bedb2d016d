package trace

import (
	"bufio"
	"io"
)

// A lineWriter writes one line per record.
type lineWriter struct {
	w      *bufio.Writer
	buf    []byte
	format func(b []byte, r *Record) ([]byte, error)
	finish func(w io.Writer) error // nil: nothing follows the records
}

func newLineWriter(w io.Writer, format func(b []byte, r *Record) ([]byte, error)) *lineWriter {
	return &lineWriter{w: bufio.NewWriterSize(w, 1<<16), format: format}
}

func (t *lineWriter) Write(r *Record) error {
	b, err := t.format(t.buf[:0], r)
	if err != nil {
		return err
	}
	t.buf = append(b, '\n')
	if len(b) == 0 {
		return nil
	}
	_, err = t.w.Write(t.buf)
	return err
}

func (t *lineWriter) Close() error {
	if t.finish != nil {
		if err := t.finish(t.w); err != nil {
			return err
		}
	}
	return t.w.Flush()
}

// hex appends 0x and the digits of v.
func hex(b []byte, v uint64) []byte { return digits(append(b, "0x"...), v) }

// digits appends the hexadecimal digits of v.
func digits(b []byte, v uint64) []byte {
	const d = "0123456789abcdef"
	shift := 0
	for x := v >> 4; x > 0; x >>= 4 {
		shift += 4
	}
	for ; shift >= 0; shift -= 4 {
		b = append(b, d[v>>shift&15])
	}
	return b
}
