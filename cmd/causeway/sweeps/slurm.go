package sweeps

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/progress"
	"github.com/causeway-sim/causeway/cmd/causeway/runs"
	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/slurm"
)

// A cluster runs parts of a sweep by Slurm.
type cluster struct {
	queue slurm.Queue
	task  string // command of a task
	parts bool   // a task runs its part alone
	log   string
}

// newCluster puts the program into the sweep's folder, where nodes find it however it is
// installed here, and however it changes meanwhile.
func newCluster(sw *sweep.Sweep, f executorFlags, flags *pointFlags) (*cluster, error) {
	dir, err := filepath.Abs(sw.Dir)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(build.Running(result.Version).Key()))
	at := filepath.Join(dir, "slurm", fmt.Sprintf("%x", sum[:6]))
	program := filepath.Join(at, "causeway")
	if _, err := os.Stat(program); err != nil {
		if err := copyProgram(at, program); err != nil {
			return nil, err
		}
	}
	words := []string{program, "sweep", "resume", dir, "--quiet", "--jobs", strconv.Itoa(max(flags.jobs, 1))}
	for _, f := range []struct {
		name string
		on   bool
	}{{"--retry", flags.retry}, {"--reuse", flags.reuse}, {"--isolate", flags.isolate}} {
		if f.on {
			words = append(words, f.name)
		}
	}
	if flags.timeout > 0 {
		words = append(words, "--timeout", flags.timeout.String())
	}
	if flags.memory != "" {
		words = append(words, "--memory", flags.memory)
	}
	name := sha256.Sum256([]byte(dir))
	c := &cluster{task: "#!/bin/sh\nexec " + shellLine(words), log: filepath.Join(dir, "slurm", "%A_%a.log")}
	c.queue = slurm.Queue{Name: fmt.Sprintf("causeway-%x", name[:6]), Flags: append([]string{fmt.Sprintf("--cpus-per-task=%d", max(flags.jobs, 1)), "--chdir=" + dir}, f.sbatch...)}
	c.parts = !sw.Adaptive()
	return c, nil
}

// copyProgram copies the running program, whole or not at all.
func copyProgram(dir, to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	from, err := os.Open(self)
	if err != nil {
		return err
	}
	defer from.Close()
	tmp, err := os.CreateTemp(dir, ".causeway.*")
	if err != nil {
		return err
	}
	_, err = io.Copy(tmp, from)
	if err == nil {
		err = tmp.Chmod(0o755)
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), to)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// Submit implements experiment.Cluster.
func (c *cluster) Submit(ctx context.Context, parts []int, of int) error {
	script := c.task
	if c.parts {
		script += fmt.Sprintf(` --chunk "$SLURM_ARRAY_TASK_ID"/%d`, of)
	}
	_, err := c.queue.Submit(ctx, parts, script+"\n", c.log)
	return err
}

// Active implements experiment.Cluster.
func (c *cluster) Active(ctx context.Context) (map[int]string, error) { return c.queue.Active(ctx) }

// runSlurm runs a sweep by Slurm and prints its outcome.
func runSlurm(c *cobra.Command, s *command.Settings, sw *sweep.Sweep, f executorFlags, flags *pointFlags) error {
	if err := sw.Check(c.Context()); err != nil {
		return failure(c.Context(), err)
	}
	sayRefused(c, sw)
	if err := runs.Prepare(sw.Dir); err != nil {
		return command.BadInput(err)
	}
	cl, err := newCluster(sw, f, flags)
	if err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	m := progress.NewMeter(c.ErrOrStderr(), s.Quiet())
	res, err := sw.RunOn(c.Context(), cl, sweep.Spread{
		Parts: f.parts, Least: f.least,
		Progress: func(active map[int]string, done, total int) {
			running := 0
			for _, state := range active {
				if state == "RUNNING" {
					running++
				}
			}
			m.Update(fmt.Sprintf("points (%d parts run, %d wait)", running, len(active)-running), int64(done), int64(total))
		},
		Say: func(format string, args ...any) {
			if !s.Quiet() {
				fmt.Fprintf(c.ErrOrStderr(), "slurm: "+format+" (job name %s)\n", append(args, cl.queue.Name)...)
			}
		},
	})
	m.Done()
	if c.Context().Err() != nil {
		return command.Interrupted("the parts go on; the same command watches them again (scancel --name=" + cl.queue.Name + " ends them)")
	}
	if res == nil {
		return failure(c.Context(), err)
	}
	return concluded(c, s, sw, res, err)
}
