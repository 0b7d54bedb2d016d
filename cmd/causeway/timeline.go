package main

import (
	"os"
	"path/filepath"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report"
)

// A timelineFile is what run --timeline writes: under another name first, which close
// changes, so that no reader sees half of it.
type timelineFile struct {
	*report.Timeline
	file *os.File
	path string
}

func createTimeline(path string) (*timelineFile, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	return &timelineFile{report.NewTimeline(f), f, path}, nil
}

// close ends the file and gives it its name.
func (t *timelineFile) close() error {
	err := t.Close()
	if err == nil {
		err = t.file.Chmod(0o644)
	}
	if e := t.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(t.file.Name(), t.path)
	}
	return experiment.Renamed(err, t.file.Name(), t.path)
}

// discard removes what was not closed.
func (t *timelineFile) discard() {
	t.file.Close()           // again, where it was closed
	os.Remove(t.file.Name()) // gone, where it was renamed
}
