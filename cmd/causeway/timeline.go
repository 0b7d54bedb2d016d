package main

import (
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/report"
)

// A timelineFile is what run --timeline writes; no reader sees half of it.
type timelineFile struct {
	*report.Timeline
	file *atomicfile.File
}

func createTimeline(path string) (*timelineFile, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	return &timelineFile{report.NewTimeline(f), f}, nil
}

// close ends the file and gives it its name.
func (t *timelineFile) close() error {
	if err := t.Close(); err != nil {
		return t.file.Named(err)
	}
	return t.file.Commit()
}

// discard removes what was not closed.
func (t *timelineFile) discard() { t.file.Discard() }
