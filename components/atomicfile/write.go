package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// Write writes data to path atomically, as File does.
func Write(path string, data []byte) error {
	return WriteFrom(path, bytes.NewReader(data))
}

// WriteFrom is like Write, but the content comes from data.WriteTo.
func WriteFrom(path string, data io.WriterTo) error {
	w, err := Create(path)
	if err != nil {
		return err
	}
	if _, err := data.WriteTo(w); err != nil {
		w.Discard()
		return w.Named(err)
	}
	return w.Commit()
}

// Renamed returns err with the temporary name of a file replaced by path.
func Renamed(err error, temporary, path string) error {
	if e, ok := errors.AsType[*os.PathError](err); ok && e.Path == temporary {
		e.Path = path
	}
	return err
}
