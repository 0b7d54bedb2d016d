package site

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report/folder"
)

// jobs are the sweeps that the site has started, each in a process of its own.
type jobs struct {
	mu   sync.Mutex
	list []*job
	wait sync.WaitGroup
}

// A job is a sweep that the site has started.
type job struct {
	path, dir string
	cmd       *exec.Cmd
	began     time.Time
	ended     bool
	err       string // why it ended without all points; "" if it has them
}

// mostEnded is how many jobs that have ended are shown.
const mostEnded = 6

// closeFor is how long jobs may take to end when the site does; one that takes longer is killed. Its
// journal keeps the points that have ended.
const closeFor = 3 * time.Second

// start starts a sweep over a configuration with values set, into the folder runs/NAME.
func (s *Site) start(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Set  map[string]string `json:"set"`
		Axes map[string]string `json:"axes"` // values by path, as after --axis
		As   string            `json:"as"`
	}
	file, ok := s.asked(w, r, &q)
	if !ok {
		return
	}
	var a struct {
		Errors []string `json:"errors,omitempty"`
		Path   string   `json:"path,omitempty"`
		Points int      `json:"points,omitempty"` // 0: not counted in time
	}
	set, errs := sets(q.Set)
	axes, more := sets(q.Axes)
	if errs = append(errs, more...); errs == nil && len(axes) == 0 {
		errs = []string{"want a parameter with its values, for example Core.rows with 16, 32, 64"}
	}
	var dir string
	if errs == nil {
		var err error
		if dir, err = s.freeFolder(q.As); err != nil {
			errs = []string{err.Error()}
		}
	}
	if errs == nil {
		a.Points, errs = s.checkSweep(r.Context(), file, set, axes)
	}
	if errs == nil {
		args := []string{"sweep", file, "--out", dir, "--quiet"}
		for _, v := range set {
			args = append(args, "--set="+v)
		}
		for _, v := range axes {
			args = append(args, "--axis="+v)
		}
		if err := s.launch(dir, args); err != nil {
			errs = []string{err.Error()}
		}
		a.Path = s.path(dir)
	}
	a.Errors = errs
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a) // who asked may have gone
}

// freeFolder is the folder runs/NAME of a new sweep.
func (s *Site) freeFolder(name string) (string, error) {
	if name == "" || name != filepath.Base(name) || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") {
		return "", fmt.Errorf("%q: want a name for the folder of the sweep, without a slash", name)
	}
	if err := s.root.Mkdir("runs", 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	runs, err := s.inside("runs")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(runs, name)
	if _, err := os.Lstat(dir); err == nil {
		return "", fmt.Errorf("runs/%s exists: give another name", name)
	}
	return dir, nil
}

// checkSweep counts the points of a sweep and finds their errors. It returns 0 points if that takes
// longer than a trial may: the sweep itself checks them again.
func (s *Site) checkSweep(ctx context.Context, file string, set, axes []string) (points int, errs []string) {
	ctx, stop := context.WithTimeout(ctx, trialTime)
	defer stop()
	o := s.options
	o.Set = set
	sw, err := sweep.Load(file, o, axes...)
	if err == nil {
		err = sw.Check(ctx)
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return 0, nil
	case err != nil:
		return 0, strings.Split(err.Error(), "\n")
	}
	return sw.Len(), nil
}

// launch starts the command of a sweep.
func (s *Site) launch(dir string, args []string) error {
	j := &job{path: s.path(dir), dir: dir, cmd: s.Command(args...), began: time.Now()}
	var said bytes.Buffer
	j.cmd.Stderr = &said
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	if slices.ContainsFunc(s.jobs.list, func(o *job) bool { return o.dir == dir && !o.ended }) {
		return fmt.Errorf("%s runs already", j.path)
	}
	if err := j.cmd.Start(); err != nil {
		return err
	}
	s.jobs.list = append(s.jobs.list, j)
	s.jobs.wait.Go(func() {
		err := j.cmd.Wait()
		s.jobs.mu.Lock()
		defer s.jobs.mu.Unlock()
		j.ended = true
		j.err = whyEnded(err, said.String())
		if code := j.cmd.ProcessState.ExitCode(); code == exitInterrupted || code < 0 {
			j.err = "cancelled; causeway sweep resume " + j.path + " goes on from here"
		}
		s.jobs.drop()
	})
	return nil
}

// exitInterrupted is the exit code of a command that was interrupted.
const exitInterrupted = 130

// whyEnded is what a command printed to standard error; "" where it did what it should.
func whyEnded(err error, said string) string {
	if err == nil {
		return ""
	}
	return cmp.Or(strings.TrimSpace(said), err.Error())
}

// drop forgets the first of too many jobs that have ended.
func (t *jobs) drop() {
	ended := 0
	for _, j := range t.list {
		if j.ended {
			ended++
		}
	}
	t.list = slices.DeleteFunc(t.list, func(j *job) bool {
		if !j.ended || ended <= mostEnded {
			return false
		}
		ended--
		return true
	})
}

// addTo adds to a list of what runs the jobs that say nothing in their folder, since they have
// just begun or have ended.
func (t *jobs) addTo(list []going) []going {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, j := range t.list {
		at := slices.IndexFunc(list, func(g going) bool { return g.Path == j.path })
		if at >= 0 {
			if !j.ended {
				continue
			}
			list = slices.Delete(list, at, at+1)
		}
		g := going{Path: j.path, Ended: j.ended, Error: j.err, Report: j.ended && folder.IsSweep(j.dir)}
		g.Live = experiment.Live{What: "points", Started: j.began.UTC().Format(time.RFC3339), Spent: time.Since(j.began).Seconds()}
		list = append(list, g)
	}
	return list
}

// kill kills the job of a folder that has not begun to compute.
func (t *jobs) kill(dir string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, j := range t.list {
		if j.dir == dir && !j.ended {
			return j.cmd.Process.Kill() == nil
		}
	}
	return false
}

// close ends all jobs and waits for them.
func (t *jobs) close() {
	t.mu.Lock()
	var files []string
	for _, j := range t.list {
		if j.ended {
			continue
		}
		if file, err := askToEnd(j.dir); err == nil {
			files = append(files, file)
		}
	}
	t.mu.Unlock()
	late := time.AfterFunc(closeFor, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, j := range t.list {
			if !j.ended {
				_ = j.cmd.Process.Kill()
			}
		}
	})
	t.wait.Wait()
	late.Stop()
	for _, file := range files {
		_ = os.Remove(file)
	}
}
