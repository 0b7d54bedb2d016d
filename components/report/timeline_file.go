package report

import "github.com/causeway-sim/causeway/components/atomicfile"

// A TimelineFile is a timeline in a file. The file has its name only when it is whole.
type TimelineFile struct {
	*Timeline
	file *atomicfile.File
}

// CreateTimeline makes a listener that writes to the file of this path.
func CreateTimeline(path string) (*TimelineFile, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	return &TimelineFile{NewTimeline(f), f}, nil
}

// Commit ends the file and gives it its name.
func (t *TimelineFile) Commit() error {
	if err := t.Close(); err != nil {
		return t.file.Named(err)
	}
	return t.file.Commit()
}

// Discard removes a file that was not committed.
func (t *TimelineFile) Discard() { t.file.Discard() }
