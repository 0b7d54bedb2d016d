package experiment

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/causeway-sim/causeway/configs"
)

// MaxFaults bounds how many faulty points a check names.
const MaxFaults = 20

// Check finds out what every point is, and everything that is wrong with one,
// before the first runs. The error has each fault once, with the first point
// that has it.
func (s *Sweep) Check(ctx context.Context) error {
	if s.identities != nil {
		return nil
	}
	n := s.Grid.Len()
	identities, faults := make([]string, n), make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, s.Workers) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				job, err := s.Runner.Prepare(s.Grid.Point(i))
				if err == nil {
					identities[i] = job.Identity()
				}
				faults[i] = err
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.faults(faults); err != nil {
		return err
	}
	s.identities = identities
	return nil
}

// faults puts what is wrong with points together.
func (s *Sweep) faults(of []error) error {
	var out []error
	seen := map[string]bool{}
	points := 0
	for i, err := range of {
		if err == nil {
			continue
		}
		points++
		for _, e := range each(err) {
			if seen[e.Error()] {
				continue
			}
			seen[e.Error()] = true
			if len(out) < MaxFaults {
				out = append(out, fmt.Errorf("%w\n  at point %d (%s)", e, i, strings.Join(s.Grid.Point(i).Set, " ")))
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	if more := len(seen) - len(out); more > 0 {
		out = append(out, fmt.Errorf("... and %d more", more))
	}
	if points < len(of) {
		out = append(out, fmt.Errorf("%d of %d points cannot be run", points, len(of)))
	}
	return folderError{errors.Join(out...)}
}

// each is the single errors of a joint one.
func each(err error) []error {
	var many configs.Errors
	if errors.As(err, &many) {
		return many
	}
	return flatten(err)
}
