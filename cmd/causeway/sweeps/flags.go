package sweeps

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/units"
)

// pointFlags are the flags of commands that run points.
type pointFlags struct {
	jobs         int
	chunk        string
	retry, reuse bool
	fresh        bool
	timeout      time.Duration
	memory       string
	isolate      bool
	illegal      string
}

func (f *pointFlags) declare(c *cobra.Command) {
	c.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "points to run at a time (default: one per processor)")
	c.Flags().StringVar(&f.chunk, "chunk", "", "I/N: run part I of N of the points; sweep collect puts the parts together")
	c.Flags().Bool("html", true, "write report.html once the points are there")
	c.Flags().BoolVar(&f.retry, "retry", false, "run points again that have failed before")
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "record a point that runs longer as failed, for example 5m (default: no limit)")
	c.Flags().StringVar(&f.memory, "memory", "", "record a point that takes more as failed, for example 2GiB; means --isolate")
	c.Flags().BoolVar(&f.isolate, "isolate", false, "run points in processes of their own: one that is killed is recorded, and the sweep goes on")
	c.Flags().StringVar(&f.illegal, "illegal", "", "what becomes of points that the check before the first run refuses: stop (nothing runs), or record (as failed, and the others run); default: what illegal: says, else stop")
	c.Flags().BoolVar(&f.reuse, "reuse", false, "take results of another build that the folder holds")
}

// apply applies the flags.
func (f *pointFlags) apply(sw *sweep.Sweep, s *command.Settings) error {
	if f.jobs < 0 {
		return command.BadInput(fmt.Errorf("--jobs %d: want a number above 0", f.jobs))
	}
	if f.reuse && f.fresh {
		return command.BadInput(errors.New("--reuse keeps the results of another build, --fresh removes all: one of them must go"))
	}
	if f.chunk != "" {
		i, n, ok := strings.Cut(f.chunk, "/")
		part, err1 := strconv.Atoi(i)
		of, err2 := strconv.Atoi(n)
		if !ok || err1 != nil || err2 != nil || part < 1 || part > of {
			return command.BadInput(fmt.Errorf("--chunk %s: want I/N with I from 1 to N, as in 2/8", f.chunk))
		}
		if sw.Adaptive() {
			return command.BadInput(errors.New("--chunk: a search needs all points of a generation; several processes on one folder share them"))
		}
		sw.Chunk = sweep.Chunk{I: part, N: of}
	}
	sw.Workers, sw.Retry, sw.Reuse, sw.Fresh = s.Jobs(f.jobs), f.retry, f.reuse, f.fresh
	if f.timeout < 0 {
		return command.BadInput(fmt.Errorf("--timeout %s: want a time above 0", f.timeout))
	}
	sw.Timeout = f.timeout
	if f.illegal != "" {
		if err := sw.SetIllegal(f.illegal); err != nil {
			return command.BadInput(err)
		}
	}
	if !f.isolate && f.memory == "" {
		return nil
	}
	var memory units.Bytes
	if f.memory != "" {
		var err error
		if memory, err = units.ParseBytes(f.memory); err != nil || memory == 0 {
			return command.BadInput(fmt.Errorf("--memory %s: want an amount such as 2GiB", f.memory))
		}
	}
	self, err := os.Executable()
	if err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	return command.BadInput(sw.Isolate(func() *exec.Cmd {
		args := []string{"causeway", "serve", "--stdio", "--jobs", "1", "--engine", s.Engine(), "--inputs", s.Inputs()}
		return &exec.Cmd{Path: self, Args: args}
	}, memory))
}

// executorFlags holds the flags that choose where points run.
type executorFlags struct {
	executor string
	parts    int
	least    time.Duration
	sbatch   []string
}

func (f *executorFlags) declare(c *cobra.Command) {
	c.Flags().StringVar(&f.executor, "executor", "local", "local, or slurm: array jobs on the nodes that share the folder")
	c.Flags().IntVar(&f.parts, "parts", 0, "slurm: array tasks (default: as many as take --part-time each)")
	c.Flags().DurationVar(&f.least, "part-time", time.Minute, "slurm: work of a task at least")
	c.Flags().StringArrayVar(&f.sbatch, "sbatch", nil, "slurm: a flag of sbatch, for example --sbatch=--partition=long (repeatable)")
}

// check refuses flags that would do nothing.
func (f *executorFlags) check(c *cobra.Command, flags *pointFlags) error {
	switch f.executor {
	case "slurm":
		if flags.chunk != "" {
			return command.BadInput(errors.New("--executor slurm makes its chunks itself: --chunk must go"))
		}
		if f.parts < 0 || f.least <= 0 {
			return command.BadInput(errors.New("--parts and --part-time want a number above 0"))
		}
		return nil
	case "local":
		for _, name := range []string{"parts", "part-time", "sbatch"} {
			if c.Flags().Changed(name) {
				return command.BadInput(fmt.Errorf("--%s has no effect (used by: --executor slurm)", name))
			}
		}
		return nil
	}
	return command.BadInput(fmt.Errorf("--executor %s: unknown (want one of: local, slurm)", f.executor))
}

// AddAxis declares --axis.
func AddAxis(c *cobra.Command, axes *[]string) {
	c.Flags().StringArrayVar(axes, "axis", nil, "vary PATH=VALUE,VALUE, or \"PATH, PATH=...\" together, or PATH={from: 8, to: 64, times: 2} (repeatable)")
}
