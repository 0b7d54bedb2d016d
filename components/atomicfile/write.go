package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// Write writes a file so that no reader ever sees half of it, see File.
func Write(path string, data []byte) error {
	return WriteFrom(path, bytes.NewReader(data))
}

// WriteFrom is Write of what is written piece by piece.
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

// Renamed returns err with path in place of temporary, the name that a file has while it is
// written.
func Renamed(err error, temporary, path string) error {
	if e, ok := errors.AsType[*os.PathError](err); ok && e.Path == temporary {
		e.Path = path
	}
	return err
}
