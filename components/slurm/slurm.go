// Package slurm hands array jobs to the Slurm workload manager and asks what became of
// them, by its commands sbatch and squeue. Jobs are found by their name: who submits needs
// to remember nothing, so that it may die and be started again at any time.
//
// Source: manual pages of sbatch(1) and squeue(1), Slurm 22.05.
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A Queue is the jobs of one name.
type Queue struct {
	Name  string
	Flags []string // of sbatch, for example --partition=long
}

// Submit hands in one array job with these task numbers. Each task runs script, in which
// SLURM_ARRAY_TASK_ID is its number, and writes what it prints to log, in which %A is the
// job and %a the task. It returns the job's number.
func (q Queue) Submit(ctx context.Context, tasks []int, script, log string) (string, error) {
	args := append([]string{"--parsable", "--job-name=" + q.Name, "--array=" + ranges(tasks), "--output=" + log, "--open-mode=append"}, q.Flags...)
	c := exec.CommandContext(ctx, "sbatch", args...)
	c.Stdin = strings.NewReader(script)
	out, err := run(c)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // the cluster follows, if there are several
	return id, nil
}

// Active lists the tasks that wait or run, and in which state each is.
func (q Queue) Active(ctx context.Context) (map[int]string, error) {
	out, err := run(exec.CommandContext(ctx, "squeue", "--noheader", "--array", "--name="+q.Name, "--format=%K %T"))
	if err != nil {
		return nil, err
	}
	active := map[int]string{}
	for line := range strings.SplitSeq(out, "\n") {
		task, state, ok := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(task)
		if !ok || err != nil {
			continue
		}
		if !over(state) {
			active[n] = state
		}
	}
	return active, nil
}

// over reports whether nothing more will come of a task in this state.
func over(state string) bool {
	return slices.Contains([]string{"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT", "REVOKED"}, state)
}

// ranges writes numbers, which are sorted, as 1-4,7,9-10.
func ranges(n []int) string {
	var b strings.Builder
	for i := 0; i < len(n); {
		j := i
		for j+1 < len(n) && n[j+1] == n[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(n[i]))
		if j > i {
			fmt.Fprintf(&b, "-%d", n[j])
		}
		i = j + 1
	}
	return b.String()
}

func run(c *exec.Cmd) (string, error) {
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err == nil {
		return string(out), nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s is not on the PATH: is this a machine that submits to Slurm?", c.Args[0])
	}
	return "", fmt.Errorf("%s: %w: %s", c.Args[0], err, strings.TrimSpace(stderr.String()))
}
