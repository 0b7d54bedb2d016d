package sweep

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/components/usage"
)

// Isolate runs the points in separate processes, so that the sweep goes on if a process crashes.
// command starts a process that handles requests of a Service on its standard input and output,
// one point after another. A process above the memory limit (0: none) is killed.
func (s *Sweep) Isolate(command func() *exec.Cmd, memory units.Bytes) error {
	if memory > 0 && !usage.KnowsOthers {
		return errors.New("a limit of memory needs the /proc of Linux")
	}
	if s.base == "" {
		return errors.New("points without a configuration file cannot be run by other processes")
	}
	s.remote = &remote{sweep: s, command: command, memory: memory}
	return nil
}

// A remote keeps the idle processes.
type remote struct {
	sweep   *Sweep
	command func() *exec.Cmd
	memory  units.Bytes
	mu      sync.Mutex
	idle    []*remoteProcess
}

// A attendant is one process.
type remoteProcess struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err *heard
}

// run runs a point in a process. Where the process ends, so does the point, and the error
// says how.
func (r *remote) run(ctx context.Context, p grid.Point, identity string) (*result.Result, error) {
	w, err := r.take()
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(Request{Op: "run", Set: p.Set, Full: true})
	if err != nil {
		return nil, err
	}
	type reply struct {
		line []byte
		err  error
	}
	done := make(chan reply, 1)
	go func() {
		if _, err := w.in.Write(append(line, '\n')); err != nil {
			done <- reply{nil, err}
			return
		}
		b, err := w.out.ReadBytes('\n')
		done <- reply{b, err}
	}()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			w.end()
			<-done
			return nil, ctx.Err()
		case <-look.C:
			if n := usage.Resident(w.cmd.Process.Pid); r.memory > 0 && n > r.memory {
				w.end()
				<-done
				return nil, fmt.Errorf("killed: it took %s of memory, more than %s", n, r.memory)
			}
		case a := <-done:
			if a.err != nil {
				return nil, fmt.Errorf("its process ended: %s", w.end())
			}
			r.give(w)
			return readResult(a.line, identity)
		}
	}
}

// lookEvery is how often the memory of a process is looked at.
const lookEvery = 20 * time.Millisecond

func readResult(line []byte, identity string) (*result.Result, error) {
	var a Response
	if err := json.Unmarshal(line, &a); err != nil {
		return nil, fmt.Errorf("its process answered %.80q", line)
	}
	switch {
	case a.Full != nil:
		if a.Identity != identity {
			return nil, errors.New("its configuration or its inputs have changed since the sweep began")
		}
		return &result.Result{Status: result.Complete, Metrics: a.Full.Metrics}, nil
	case a.Status == result.Stuck, a.Status == result.Incomplete:
		return &result.Result{Status: a.Status, Reason: a.Error}, nil
	}
	return nil, errors.New(a.Error)
}

// take is an idle process, or a new one that has the configuration.
func (r *remote) take() (*remoteProcess, error) {
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		w := r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.mu.Unlock()
		return w, nil
	}
	r.mu.Unlock()
	w := &remoteProcess{cmd: r.command(), err: &heard{}}
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.cmd.WaitDelay = time.Second // whatever it has started itself
	w.out, w.cmd.Stderr = bufio.NewReader(out), w.err
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(Request{Op: "load", File: r.sweep.base, Set: r.sweep.fixed})
	if err == nil {
		_, err = w.in.Write(append(line, '\n'))
	}
	var a Response
	if err == nil {
		if line, err = w.out.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &a)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("a process for points cannot be started: %s", w.end())
	}
	if a.Error != "" {
		w.end()
		return nil, errors.New(a.Error)
	}
	return w, nil
}

func (r *remote) give(w *remoteProcess) {
	r.mu.Lock()
	r.idle = append(r.idle, w)
	r.mu.Unlock()
}

// close ends all processes that are idle.
func (r *remote) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.idle {
		_ = w.in.Close() // it ends by itself
		_ = w.cmd.Wait()
	}
	r.idle = nil
}

// end kills a process and says how it ended.
func (w *remoteProcess) end() string {
	_ = w.in.Close()
	_ = w.cmd.Process.Kill()
	err := w.cmd.Wait()
	text := w.err.String()
	if err == nil {
		err = errors.New("without an answer")
	}
	if text != "" {
		return err.Error() + ": " + text
	}
	return err.Error()
}

// A heard is the begin of the output of a process; a panic has its text in the first line.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *heard) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := 2000 - t.text.Len(); n > 0 {
		t.text.Write(b[:min(n, len(b))])
	}
	return len(b), nil
}

func (t *heard) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.text.String())
}
