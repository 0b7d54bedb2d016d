package sweep

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/configs"
)

// A Checker is a Job that can check itself and list its metrics without running.
type Checker interface {
	Check() error
	MetricNames() ([]string, error)
}

// MaxFaults is the greatest number of faulty points in the error of Check.
const MaxFaults = 20

// Check determines the points and their errors before the first run. Each error is reported once,
// with the first point that has it. Of an adaptive search it checks the first points, and one
// point for each value of each axis.
func (s *Sweep) Check(ctx context.Context) error {
	if s.search != nil {
		return nil
	}
	if err := s.filter(s.root); err != nil {
		return err
	}
	if err := s.know(); err != nil {
		return err
	}
	search, err := s.makeMethod()
	if err != nil {
		return err
	}
	first := search.Next(nil)
	if len(first) == 0 {
		return s.empty()
	}
	slices.Sort(first)
	identities, faulty, err := s.first(ctx, first)
	if err != nil {
		return err
	}
	witnesses := s.witnesses(first)
	if s.adaptive() {
		witnesses = slices.DeleteFunc(append([]int{0}, s.Grid.Around()...), func(p int) bool { return s.allowed != nil && !s.allowed(p) })
		_, faults := s.identify(ctx, witnesses, nil)
		if err := s.faults(witnesses, faults); err != nil && s.Illegal != RecordIllegal {
			return err
		}
	}
	if err := s.checkMetrics(ctx, witnesses); err != nil {
		return err
	}
	s.search, s.points, s.identities, s.faulty = search, first, identities, faulty
	return nil
}

// identify resolves points and collects their errors. It builds the points in deep, nil for all.
func (s *Sweep) identify(ctx context.Context, points []int, deep map[int]bool) (identities []string, faults []error) {
	identities, faults = make([]string, len(points)), make([]error, len(points))
	s.share(ctx, len(points), func(i int) {
		job, err := s.Runner.Prepare(s.Grid.Point(points[i]))
		if err == nil {
			identities[i] = job.Identity()
			if c, ok := job.(Checker); ok && (deep == nil || deep[points[i]]) {
				err = c.Check()
			}
		}
		faults[i] = err
	})
	return identities, faults
}

// share calls do for 0 to n-1, from as many goroutines as there are workers, until ctx ends.
func (s *Sweep) share(ctx context.Context, n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(max(1, s.Workers), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
}

// builtBefore is how many points a sweep builds before the first runs.
const builtBefore = 500

// built says of which points the system is built for the check. All are resolved,
// which finds wrong paths and files; building finds wrong values too, but costs
// about a tenth of a short run. Of a large sweep it is done, unless Thorough, for
// every value of every axis and for points spread evenly.
func (s *Sweep) built(points []int) map[int]bool {
	if s.Thorough || len(points) <= builtBefore {
		return nil
	}
	out := map[int]bool{}
	for i := 0; i < len(points); i += (len(points) + builtBefore - 1) / builtBefore {
		out[points[i]] = true
	}
	for _, p := range s.witnesses(points) {
		out[p] = true
	}
	return out
}

// witnesses are the first of the points that has each value of each axis, and the last point.
func (s *Sweep) witnesses(points []int) (out []int) {
	space := s.Grid.Space()
	at := make([]int, len(s.Grid))
	seen := make([]map[int]bool, len(s.Grid))
	for k := range seen {
		seen[k] = map[int]bool{}
	}
	for i, p := range points {
		space.At(p, at)
		fresh := i == len(points)-1
		for k, x := range at {
			fresh = fresh || !seen[k][x]
			seen[k][x] = true
		}
		if fresh {
			out = append(out, p)
		}
	}
	return out
}

// Estimate runs some points, spread over the values of all axes, for a short time. It records
// nothing, and returns how many points it ran and the mean time of a point.
func (s *Sweep) Estimate(ctx context.Context) (ran int, each time.Duration, err error) {
	const moment, most = 2 * time.Second, 8
	if err := s.Check(ctx); err != nil {
		return 0, 0, err
	}
	points, start := s.witnesses(s.points), time.Now()
	step := max(1, len(points)/most)
	for i := 0; i < len(points) && time.Since(start) < moment && ctx.Err() == nil; i += step {
		job, err := s.Runner.Prepare(s.Grid.Point(points[i]))
		if err == nil {
			_, _ = runGuarded(ctx, job) // one that fails takes its time too
			ran++
		}
	}
	return ran, time.Since(start) / time.Duration(max(ran, 1)), ctx.Err()
}

// maxLooks bounds at how many points a name of a metric is looked for.
const maxLooks = 64

// checkMetrics sees that some point has each metric that is asked for. It looks at
// points that have between them every value of every axis.
func (s *Sweep) checkMetrics(ctx context.Context, looks []int) error {
	if len(s.Metrics)+len(s.Tables)+len(s.Objectives)+len(s.constraints) == 0 {
		return nil
	}
	var names []string
	for _, i := range looks[:min(len(looks), maxLooks)] {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		job, err := s.Runner.Prepare(s.Grid.Point(i))
		if err != nil {
			continue // one that is recorded as failed
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

// Different is the number of different configurations of the points, after Check.
func (s *Sweep) Different() int {
	seen := map[string]bool{}
	for _, id := range s.identities {
		seen[id] = true
	}
	return len(seen)
}

// faults joins the errors of points.
func (s *Sweep) faults(at []int, of []error) error {
	var out []error
	seen := map[string]bool{}
	points := 0
	for n, err := range of {
		i := at[n]
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
		what := "%d of %d points cannot be run (--illegal record has them recorded as failed and the others run; where: leaves points out)"
		if s.Illegal == RecordIllegal {
			what = "%d of %d points cannot be run, and are recorded as failed"
		}
		out = append(out, fmt.Errorf(what, points, len(of)))
	}
	return folderError{errors.Join(out...)}
}

// atAxis points an error about a setting of a point at the axis that makes it.
func (s *Sweep) atAxis(err error, p grid.Point) error {
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
	return configs.Each(err)
}
