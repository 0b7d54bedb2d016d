package progress

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report/site"
)

// Write writes the progress of a run into its folder, where causeway serve reads it. It ignores
// errors, because the next call follows half a second later.
func Write(dir string, l experiment.Live) {
	if b, err := json.Marshal(l); err == nil {
		_ = atomicfile.Write(filepath.Join(dir, site.ProgressName), append(b, '\n'))
	}
}

// A SweepWatch writes the progress of a sweep into its folder, at most twice a second.
type SweepWatch struct {
	dir           string
	started, last time.Time
}

// Watch makes a SweepWatch that writes into dir.
func Watch(dir string) *SweepWatch {
	return &SweepWatch{dir: dir, started: time.Now(), last: time.Now()}
}

// Points notes that done of total points have ended. Calls must not overlap.
func (w *SweepWatch) Points(done, total int) {
	if now := time.Now(); now.Sub(w.last) > 500*time.Millisecond {
		w.last = now
		Write(w.dir, experiment.Live{What: "points", Done: int64(done), Total: int64(total),
			Started: w.started.UTC().Format(time.RFC3339), Spent: now.Sub(w.started).Seconds()})
	}
}

// End removes the progress file from dir.
func End(dir string) { _ = os.Remove(filepath.Join(dir, site.ProgressName)) }
