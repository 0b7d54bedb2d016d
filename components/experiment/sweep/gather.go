package sweep

import (
	"context"
	"fmt"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/journal"
)

// A State is the progress of a sweep's folder.
type State struct {
	Total    int              `json:"total"` // known points; a search adds more
	Complete int              `json:"complete"`
	Failures []Entry          `json:"failures"`
	Missing  []int            `json:"missing"` // in grid order
	Ended    bool             `json:"ended"`   // nothing is missing and a search has ended
	Writers  []journal.Header `json:"writers"`
	Warnings []string         `json:"warnings,omitempty"` // of lines in the journals
}

// State reads the progress of the folder without running anything.
func (s *Sweep) State(ctx context.Context) (*State, error) {
	run, ended, err := s.replay(ctx)
	if err != nil {
		return nil, err
	}
	out := &State{Total: len(s.points), Ended: ended, Writers: run.folder.Alive(), Warnings: run.folder.Warnings()}
	for i, id := range s.identities {
		e, ok := run.known[id]
		switch {
		case id == "":
			out.Failures = append(out.Failures, Entry{Index: s.points[i], Status: string(result.Failed), Error: s.faulty[s.points[i]].Error()})
		case !ok:
			out.Missing = append(out.Missing, s.points[i])
		case e.Status == string(result.Complete):
			out.Complete++
		default:
			e.Index = s.points[i]
			out.Failures = append(out.Failures, e)
		}
	}
	return out, nil
}

// Collect writes the tables from the journals of the folder and runs nothing. Missing points are
// an *IncompleteError unless partial is set.
func (s *Sweep) Collect(ctx context.Context, partial bool) (*Outcome, error) {
	run, ended, err := s.replay(ctx)
	if err != nil {
		return nil, err
	}
	if !ended && !partial {
		e := &IncompleteError{Dir: s.Dir, Total: len(s.points), Warnings: run.folder.Warnings()}
		for i, id := range s.identities {
			if _, ok := run.known[id]; id != "" && !ok {
				e.Missing = append(e.Missing, s.Grid.Point(s.points[i]))
			}
		}
		return nil, e
	}
	return s.conclude(ctx, run, partial)
}

// replay reads the entries of the folder, without a writer.
func (s *Sweep) replay(ctx context.Context) (run *sharing, ended bool, err error) {
	if err := s.Check(ctx); err != nil {
		return nil, false, err
	}
	folder, err := s.open()
	if err != nil {
		return nil, false, err
	}
	run = newSharing(s, folder)
	run.recorded(run.order)
	for len(run.known) == len(run.order) {
		more, ended, err := s.more(ctx, run)
		if err != nil || ended {
			return run, ended, err
		}
		run.recorded(more)
	}
	return run, false, nil
}

// An IncompleteError is the error for a folder in which points are missing.
type IncompleteError struct {
	Dir      string
	Total    int
	Missing  []grid.Point
	Warnings []string // of lines in the journals
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("%s: %d of %d points are missing", e.Dir, len(e.Missing), e.Total)
}
