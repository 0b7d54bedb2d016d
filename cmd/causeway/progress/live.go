package progress

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
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

// liveEvery is how often a sweep writes its progress, and how often a page's request to cancel is
// looked for.
const liveEvery = 500 * time.Millisecond

// Cancellable returns a context that is cancelled when ctx is, or when a page of causeway serve
// asks to cancel what works in dir. Call stop at the end.
func Cancellable(ctx context.Context, dir string) (c context.Context, stop func()) {
	c, cancel := context.WithCancel(ctx)
	file := filepath.Join(dir, site.CancelName)
	asked := func() (at time.Time) {
		if st, err := os.Lstat(file); err == nil {
			at = st.ModTime()
		}
		return at
	}
	before := asked() // of an earlier run
	go every(c, func() {
		if at := asked(); !at.IsZero() && !at.Equal(before) {
			cancel()
		}
	})
	return c, cancel
}

// every calls f until ctx ends.
func every(ctx context.Context, f func()) {
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f()
		}
	}
}

// A SweepWatch writes the progress of a sweep into its folder, twice a second.
type SweepWatch struct {
	mu          sync.Mutex
	started     time.Time
	done, total int
}

// Watch makes a SweepWatch that writes into dir. At the end stop removes the file.
func Watch(ctx context.Context, dir string) (w *SweepWatch, stop func()) {
	w = &SweepWatch{started: time.Now()}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		every(ctx, func() { Write(dir, w.live()) })
	}()
	return w, func() {
		cancel()
		<-ended
		End(dir)
	}
}

// Points notes that done of total points have ended.
func (w *SweepWatch) Points(done, total int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done, w.total = done, total
}

func (w *SweepWatch) live() experiment.Live {
	w.mu.Lock()
	defer w.mu.Unlock()
	return experiment.Live{What: "points", Done: int64(w.done), Total: int64(w.total),
		Started: w.started.UTC().Format(time.RFC3339), Spent: time.Since(w.started).Seconds()}
}

// End removes the progress file from dir.
func End(dir string) { _ = os.Remove(filepath.Join(dir, site.ProgressName)) }
