package experiment

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/causeway-sim/causeway/configs"
)

// A Checker is a Job that can say what is wrong with it, and which metrics it will
// have, without running.
type Checker interface {
	Check() error
	MetricNames() ([]string, error)
}

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
	deep := s.built()
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
					if c, ok := job.(Checker); ok && deep[i] {
						err = c.Check()
					}
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
	if err := s.checkMetrics(ctx); err != nil {
		return err
	}
	s.identities = identities
	return nil
}

// builtBefore is how many points a sweep builds before the first runs.
const builtBefore = 500

// built says of which points the system is built for the check. All are resolved,
// which finds wrong paths and files; building finds wrong values too, but costs
// about a tenth of a short run. Of a large sweep it is done, unless Thorough, for
// every value of every axis and for points spread evenly.
func (s *Sweep) built() []bool {
	n := s.Grid.Len()
	out := make([]bool, n)
	step := 1
	if !s.Thorough {
		step = (n + builtBefore - 1) / builtBefore
	}
	for i := 0; i < n; i += step {
		out[i] = true
	}
	for _, i := range s.Grid.around() {
		out[i] = true
	}
	out[n-1] = true
	return out
}

// maxLooks bounds at how many points a name of a metric is looked for.
const maxLooks = 64

// checkMetrics sees that some point has each metric that is asked for. It looks at
// the first point and at those that differ from it in one axis.
func (s *Sweep) checkMetrics(ctx context.Context) error {
	if len(s.Metrics)+len(s.Tables) == 0 {
		return nil
	}
	var names []string
	looks := append([]int{0, s.Grid.Len() - 1}, s.Grid.around()...)
	for _, i := range looks[:min(len(looks), maxLooks)] {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		job, err := s.Runner.Prepare(s.Grid.Point(i))
		if err != nil {
			return err // has been prepared before
		}
		c, ok := job.(Checker)
		if !ok {
			return nil
		}
		more, err := c.MetricNames()
		if err != nil {
			continue // it cannot be simulated, which it says when it runs
		}
		names = append(names, more...)
		if len(s.unknown(names)) == 0 {
			return nil
		}
	}
	var out []error
	for _, err := range s.unknown(names) {
		var e *configs.Error
		if errors.As(err, &e) && !counted.MatchString(e.Msg) {
			out = append(out, err)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return folderError{errors.Join(out...)}
}

// counted are metrics that come up as a run meets what they count.
var counted = regexp.MustCompile(`[".](core|kind|slice|tensor)_`)

// around are the points that differ from the first in one axis.
func (g Grid) around() (out []int) {
	stride := 1
	for k := len(g) - 1; k >= 0; k-- {
		for i := 1; i < len(g[k].Values); i++ {
			out = append(out, i*stride)
		}
		stride *= len(g[k].Values)
	}
	return out
}

// Different is how many configurations the points come to, once they are checked.
func (s *Sweep) Different() int {
	seen := map[string]bool{}
	for _, id := range s.identities {
		seen[id] = true
	}
	return len(seen)
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
			e = s.atAxis(e, s.Grid.Point(i))
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

// atAxis points an error about a setting of a point at the axis that makes it.
func (s *Sweep) atAxis(err error, p Point) error {
	e, ok := errors.AsType[*configs.Error](err)
	if !ok || e.File != configs.SetFile || e.Line <= s.fixedSets || e.Line-s.fixedSets > len(p.Set) {
		return err
	}
	path, _, _ := strings.Cut(p.Set[e.Line-s.fixedSets-1], "=")
	for _, a := range s.Grid {
		if slices.Contains(a.Paths, path) && a.At.File != "" {
			c := *e
			c.Pos = a.At
			return &c
		}
	}
	return err
}

// each is the single errors of a joint one.
func each(err error) []error {
	var many configs.Errors
	if errors.As(err, &many) {
		return many
	}
	return flatten(err)
}
