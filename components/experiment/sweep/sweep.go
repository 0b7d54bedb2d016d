package sweep

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/experiment/sweep/remote"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/components/formula"
	"github.com/causeway-sim/causeway/components/journal"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A Runner resolves the points of a sweep into Jobs. Prepare is cheap; Job.Run runs the
// simulation. Both are called from several goroutines.
type Runner interface {
	Prepare(p grid.Point) (Job, error)
}

// A Job is a resolved point, ready to run.
type Job interface {
	Identity() string
	Run(ctx context.Context) (*result.Result, error)
}

// A Sweep runs the points of a grid and keeps the results in a folder: a journal per process, then
// sweep.csv and sweep.json, mean.csv with Average, and tables.md with Tables. Several processes
// may work in one folder; they share the points.
type Sweep struct {
	fixedSets int // --set values of all points, in front of those of the axes
	Grid      grid.Grid
	Metrics   []string   // columns of sweep.csv, "Where.name" or "name"; empty: all
	Average   []string   // paths of the axes that means are taken over
	Tables    []Crosstab // what tables.md shows
	Runner    Runner
	Dir       string
	Workers   int
	// Progress, if set, is called after every point, one call at a time.
	Progress func(done, failed, total int)
	// Retry runs failed points again; otherwise a recorded failure is final.
	Retry bool
	// Build is the build that runs; zero is the running program's.
	Build build.Info
	// With results of another build in the folder, Reuse keeps them, Fresh removes all results;
	// with neither they are an error.
	Reuse, Fresh bool

	// Thorough makes Check build every point before the first run, also of large sweeps.
	Thorough bool
	// Chunk restricts the run to a part of the points; zero runs all.
	Chunk Chunk

	// Timeout ends a point that runs longer, and records that it failed; 0 is no limit.
	Timeout time.Duration

	Objectives []Objective // empty: default objectives

	// Illegal says what happens to points that Check refuses; empty is StopIllegal.
	Illegal string

	picked      []int             // points of the grid, in place of the method's
	remote      *remote.Processes // nil where points run in this process
	origin      Origin
	base        string   // file of the configuration; "" where a program made the sweep
	fixed       []string // settings of all points
	where       []sweepFormula
	constraints []sweepFormula
	method      configs.Value // the section method:
	methodName  string
	root        func() (configs.Value, error) // the base configuration, resolved
	stated      map[string]formula.Value      // its settings that objectives and constraints name

	allowed    func(point int) bool // nil: all points of the grid are
	search     explore.Method       // once Check has made it
	points     []int                // of the grid, in the order of sweep.csv, once they are known
	identities []string             // of these; "" of one that cannot be prepared
	faulty     map[int]error        // why, by point
	refused    error                // what is wrong with points that are recorded as failed
}

// A Chunk is part I of N (from 1) of the points of a sweep: every N-th point. The zero Chunk is
// all points.
type Chunk struct{ I, N int }

// has reports whether the position in the order of the points is in the chunk.
func (c Chunk) has(position int) bool { return c.N == 0 || position%c.N == c.I-1 }

// An Entry is the recorded outcome of one point.
type Entry = journal.Entry

// An Outcome is the result of a sweep.
type Outcome struct {
	Total    int // points of the sweep
	Reused   int // found in the journals
	Finished int // run now
	Shared   int // run by other processes meanwhile
	Failed   int // recorded as failed, now or before
	Table    *stats.Table
	Means    *stats.Table // nil without Average
	Failures []Entry      // in grid order
	Points   []int        // of the grid, in the order of the table
	Missing  []int        // points without an entry, in grid order
	// Objectives are those of the sweep, or default ones among the metrics of its points.
	Objectives []Objective
	Best       []Best        // of each objective, and of each workload
	Met        int           // designs that are complete and meet the constraints
	Misses     []int         // complete points of the other designs, in grid order
	Workloads  []string      // paths whose values are unlike workloads
	Unmet      [][]string    // workloads of which no design meets the constraints
	Machines   []BestMachine // of each objective over all workloads, where there are several
	Headlines  []string      // columns of main metrics, the most important first
	Front      []int         // Pareto-optimal designs of each workload, in grid order
	Pareto     *stats.Table  // Pareto-optimal designs; nil without objectives
	Effects    *stats.Table  // variance explained by each axis; nil without a metric that varies
	Pairs      *stats.Table  // what every two axes of a whole grid do together
	Unknown    []error       // requested metrics that no point has, if any point is complete
	Warnings   []string      // repairs of journals
	Dead       []string      // sentences about axes over which no metric changes

	summary   []byte                  // sweep.json
	outcomes  map[int]explore.Outcome // by point
	workloads []int                   // axes, of Workloads
}

// Run runs Check and then every point that no journal of the folder has, writes the tables, and
// returns the outcome. A failed point is recorded, and the others still run. Run waits for points
// of other processes, and runs them if those processes die. When ctx ends, running points are
// abandoned, finished ones are kept, and the error is that of ctx. With a Chunk the tables are
// written if no point is missing.
func (s *Sweep) Run(ctx context.Context) (*Outcome, error) {
	if err := s.Check(ctx); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return nil, err
	}
	folder, err := s.open()
	if err != nil {
		return nil, err
	}
	if err := s.origin.save(s.Dir); err != nil {
		return nil, err
	}
	run := newSharing(s, folder)
	if s.remote != nil {
		defer s.remote.Close()
	}
	if err := run.all(ctx); err != nil {
		return nil, err
	}
	return s.conclude(ctx, run, false)
}

// Isolate runs the points in separate processes, so that the sweep goes on if a process crashes.
// The arguments and errors are those of remote.NewProcesses.
func (s *Sweep) Isolate(command func() *exec.Cmd, memory units.Bytes) (err error) {
	s.remote, err = remote.NewProcesses(s.base, s.fixed, command, memory)
	return err
}

// conclude puts together what the folder holds, and writes it unless points are missing
// that others may be at: then only with partial, and where the sweep was interrupted.
func (s *Sweep) conclude(ctx context.Context, run *sharing, partial bool) (*Outcome, error) {
	out := run.out
	out.Points = s.points
	for i, id := range s.identities {
		e, ok := run.known[id]
		if id == "" {
			e, ok = Entry{Status: string(result.Failed), Error: s.faulty[s.points[i]].Error()}, true
			out.Failed++
		}
		e.Index = s.points[i]
		switch {
		case !ok:
			out.Missing = append(out.Missing, s.points[i])
		case e.Status != string(result.Complete):
			out.Failures = append(out.Failures, e)
		}
	}
	out.Total = len(s.points)
	var points []finding
	var err error
	if out.Table, points, out.Unknown, err = s.collect(run); err != nil {
		return nil, err
	}
	if err := s.judge(out, points); err != nil {
		return nil, err
	}
	if out.summary, err = s.summary(out, points, run.folder); err != nil {
		return nil, err
	}
	// The process that ends last writes the tables with all points.
	_, busy := run.folder.Busy("")
	if len(out.Missing) == 0 || partial || s.Chunk == (Chunk{}) && !busy {
		err = s.write(out)
	}
	out.Warnings = append(run.folder.Warnings(), out.Warnings...)
	if err != nil {
		return nil, err
	}
	return out, context.Cause(ctx)
}

// open reads the journals of the folder and sees that they are of this build.
func (s *Sweep) open() (*journal.Folder, error) {
	if s.Build == (build.Info{}) {
		s.Build = build.Running(result.Version)
	}
	folder, err := journal.Open(s.Dir, string(result.Complete))
	if err != nil {
		return nil, folderError{err}
	}
	if s.Fresh {
		if err := folder.Clear(); err != nil {
			return nil, folderError{err}
		}
		return folder, os.RemoveAll(filepath.Join(s.Dir, "points")) // of an older version
	}
	others := slices.DeleteFunc(folder.Builds(), func(b build.Info) bool { return b.Key() == s.Build.Key() })
	if len(others) > 0 && !s.Reuse {
		var names []string
		for _, b := range others {
			names = append(names, b.String())
		}
		return nil, folderError{fmt.Errorf("%s%s holds results of another build, %s; this is %s (--reuse takes them, --fresh starts anew)",
			lines(folder.Warnings()), s.Dir, strings.Join(names, " and "), s.Build)}
	}
	return folder, nil
}

// lines is texts, each with its end of line.
func lines(texts []string) (out string) {
	for _, t := range texts {
		out += t + "\n"
	}
	return out
}

// folderError is an error of what the folder of a sweep holds.
type folderError struct{ error }

func (e folderError) Unwrap() error { return e.error }

// BadInput implements badInput.
func (folderError) BadInput() {}
