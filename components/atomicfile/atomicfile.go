package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// A File has a temporary name in the folder of its path until Commit renames it. A path that is no
// regular file is written directly.
type File struct {
	*os.File
	path string // empty if the file is written directly
}

// Create begins a file. The caller ends it with Commit or Discard.
func Create(path string) (*File, error) {
	if inPlace(path) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{f, ""}, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return nil, Renamed(err, e.Path, path)
	}
	return &File{f, path}, err
}

// inPlace is true of devices, pipes and sockets, and of the names of open files.
func inPlace(path string) bool {
	if full, err := filepath.Abs(path); err == nil && (full == "/dev/stdout" || full == "/dev/stderr" || strings.HasPrefix(full, "/dev/fd/")) {
		return true
	}
	i, err := os.Stat(path)
	return err == nil && !i.Mode().IsRegular() && !i.IsDir()
}

// Commit closes the file and renames it to its path. If that fails, the temporary file is removed.
func (w *File) Commit() error {
	if w.path == "" {
		return w.Close()
	}
	err := w.Chmod(0o644)
	if e := w.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(w.Name(), w.path)
	}
	if err != nil {
		os.Remove(w.Name())
	}
	return w.Named(err)
}

// Discard removes the temporary file; after Commit it does nothing.
func (w *File) Discard() {
	w.Close() // again, where it was committed
	if w.path != "" {
		os.Remove(w.Name()) // gone, where it was renamed
	}
}

// Named returns err with the temporary name replaced by the path of the file.
func (w *File) Named(err error) error {
	if w.path == "" {
		return err
	}
	return Renamed(err, w.Name(), w.path)
}
