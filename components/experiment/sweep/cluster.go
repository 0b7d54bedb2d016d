package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/causeway-sim/causeway/components/atomicfile"
)

// A Cluster runs parts of a sweep on other machines that share its folder (components/slurm).
type Cluster interface {
	// Submit starts these parts of of, numbered from 1. A part runs the points of Chunk{part, of};
	// in a search it runs the points that no other process has claimed.
	Submit(ctx context.Context, parts []int, of int) error
	// Active returns the parts that wait or run, with their states, also those of other processes.
	Active(ctx context.Context) (map[int]string, error)
}

// Spread says how a sweep is divided for a cluster.
type Spread struct {
	Parts    int           // 0: as many as need Least each
	Least    time.Duration // of work in a part; 0 is a minute
	Tries    int           // attempts to submit a part that fails; 0 is 5
	Poll     time.Duration // least time between two polls; 0 is 2 s
	Progress func(active map[int]string, done, total int)
	Say      func(format string, args ...any)
}

// maxParts bounds the parts of a sweep: a thousand is what Slurm's arrays have by default.
const maxParts = 1000

// spreadFile keeps the number of parts, which must not change while parts run.
const spreadFile = "parts.json"

// RunOn runs the sweep on a cluster: it submits parts, polls their state, resubmits parts that
// ended with points missing, and collects the tables. It stores only the number of parts, so it
// may be killed and called again at any time; running parts go on.
func (s *Sweep) RunOn(ctx context.Context, c Cluster, how Spread) (*Outcome, error) {
	if err := s.Check(ctx); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return nil, err
	}
	if _, err := s.open(); err != nil { // Fresh clears it
		return nil, err
	}
	s.Fresh = false
	if err := s.origin.save(s.Dir); err != nil {
		return nil, err
	}
	parts, err := s.parts(ctx, how)
	if err != nil {
		return nil, err
	}
	tries, most := map[int]int{}, cmp.Or(how.Tries, 5)
	least := cmp.Or(how.Poll, 2*time.Second)
	for pause := least; ; pause = min(pause*3/2, 15*least) {
		// First who is there, then what they left: one that ends in between is seen next time.
		active, err := c.Active(ctx)
		if err != nil {
			return nil, err
		}
		run, ended, err := s.replay(ctx)
		if err != nil {
			return nil, err
		}
		if how.Progress != nil {
			how.Progress(active, len(run.known), max(len(run.order), 1))
		}
		if ended {
			run.out.Shared, run.out.Reused = run.out.Reused, 0
			return s.conclude(ctx, run, false)
		}
		var again []int
		for _, p := range s.lacking(run, parts) {
			if _, there := active[p]; there {
				continue
			}
			if tries[p]++; tries[p] > most {
				return nil, fmt.Errorf("part %d of %d was submitted %d times and points of it are missing still: see what it printed in %s", p, parts, tries[p]-1, s.Dir)
			}
			again = append(again, p)
		}
		if len(again) > 0 {
			if err := c.Submit(ctx, again, parts); err != nil {
				return nil, err
			}
			if how.Say != nil {
				how.Say("%d of %d parts submitted", len(again), parts)
			}
			pause = least
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// lacking lists the parts that have points without an entry; of a search, all parts.
func (s *Sweep) lacking(run *sharing, parts int) (out []int) {
	for p := 1; p <= parts; p++ {
		part := Chunk{p, parts}
		if s.adaptive() || slices.ContainsFunc(run.order, func(id string) bool {
			_, ok := run.known[id]
			return !ok && part.has(run.at[id])
		}) {
			out = append(out, p)
		}
	}
	return out
}

// parts is how many parts the sweep has: what its folder says, else what how says, else as
// many as take long enough each, by the time of the first points, which are run here.
func (s *Sweep) parts(ctx context.Context, how Spread) (int, error) {
	path := filepath.Join(s.Dir, spreadFile)
	var n int
	if b, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(b, &n); err != nil || n < 1 {
			return 0, fmt.Errorf("%s: is no number of parts", path)
		}
		return n, nil
	}
	n = how.Parts
	if n == 0 && s.adaptive() {
		n = 4
	}
	if n == 0 {
		each, err := s.probe(ctx)
		if err != nil {
			return 0, err
		}
		n = int(each * time.Duration(s.Different()) / cmp.Or(how.Least, time.Minute))
	}
	n = min(max(n, 1), maxParts, max(len(s.points), 1))
	return n, atomicfile.Write(path, fmt.Appendf(nil, "%d\n", n))
}

// probe runs points for a moment and returns how long one takes.
func (s *Sweep) probe(ctx context.Context) (time.Duration, error) {
	const moment, most = 2 * time.Second, 5
	points, start, ran := s.witnesses(s.points), time.Now(), 0
	for _, p := range points[:min(len(points), most)] {
		one := *s
		one.points, one.identities = []int{p}, nil
		one.identities, _ = s.identify(ctx, one.points, map[int]bool{})
		folder, err := one.open()
		if err != nil {
			return 0, err
		}
		r := newSharing(&one, folder)
		if err := r.all(ctx); err != nil {
			return 0, err
		}
		if ran++; time.Since(start) > moment {
			break
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return time.Since(start) / time.Duration(max(ran, 1)), nil
}
