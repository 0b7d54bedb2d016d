package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report/site"
)

// writeProgress tells whoever watches a folder (causeway serve) how far what writes into it
// is. A failure is of no concern: the next one comes in half a second.
func writeProgress(dir string, l experiment.Live) {
	if b, err := json.Marshal(l); err == nil {
		_ = atomicfile.Write(filepath.Join(dir, site.ProgressName), append(b, '\n'))
	}
}

// A sweepWatch says how far a sweep is, not more than twice a second.
type sweepWatch struct {
	dir           string
	started, last time.Time
}

func watchSweep(dir string) *sweepWatch {
	return &sweepWatch{dir: dir, started: time.Now(), last: time.Now()}
}

// points is told after every point, one call at a time.
func (w *sweepWatch) points(done, total int) {
	if now := time.Now(); now.Sub(w.last) > 500*time.Millisecond {
		w.last = now
		writeProgress(w.dir, experiment.Live{What: "points", Done: int64(done), Total: int64(total),
			Started: w.started.UTC().Format(time.RFC3339), Spent: now.Sub(w.started).Seconds()})
	}
}

// endProgress removes what writeProgress has left.
func endProgress(dir string) { _ = os.Remove(filepath.Join(dir, site.ProgressName)) }
