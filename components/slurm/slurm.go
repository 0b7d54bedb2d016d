// Package slurm submits array jobs to the Slurm workload manager (sbatch) and lists their state
// (squeue). Jobs are found by name, so a process that submitted jobs may be killed and started
// again without a record of them.
//
//	q := slurm.Queue{Name: "sweep-1", Flags: []string{"--partition=long"}}
//	job, err := q.Submit(ctx, []int{1, 2, 3}, "#!/bin/sh\n...", "log/%A_%a.txt")
//	active, err := q.Active(ctx)
//
// An error names the command: it is not on the PATH, or failed with the text that it printed. Left
// out: cancelling jobs, and the exit status of tasks that have ended.
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

// A Queue is all jobs of one name.
type Queue struct {
	Name  string
	Flags []string // of sbatch, for example --partition=long
}

// Submit submits one array job with these task numbers, ascending, and returns the number of the
// job. Each task runs script with SLURM_ARRAY_TASK_ID set to its number, and appends its output to
// the file log, in which %A is the job and %a the task.
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

// Active returns the tasks that wait or run, each with its Slurm state (PENDING, RUNNING, ...).
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

// over reports whether a task in this state has ended.
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
