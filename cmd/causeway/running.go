package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// runningName is the file that a run holds a lock on while it works on its folder. The lock
// ends with the process, however that ends.
const runningName = ".running"

// occupy takes a folder for a run; a second run into it is refused as long as the first one
// works. The run calls leave at its end.
func occupy(dir string) (leave func(), err error) {
	lock := flock.New(filepath.Join(dir, runningName))
	free, err := lock.TryLock()
	switch {
	case err != nil:
		return func() {}, nil // a file system without locks
	case !free:
		return nil, fmt.Errorf("%s: another run is writing there (wait for it, or give another --out; without --out each run has a folder of its own)", dir)
	}
	return func() {
		_ = os.Remove(lock.Path())
		_ = lock.Close()
	}, nil
}
