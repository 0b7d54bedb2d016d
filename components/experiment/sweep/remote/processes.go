package remote

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
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/components/usage"
)

// Processes runs points in processes, one point at a time in each. A process waits for the next
// point after its last. Several goroutines may use it.
type Processes struct {
	file    string
	set     []string
	command func() *exec.Cmd
	memory  units.Bytes
	mu      sync.Mutex
	idle    []*process
}

// NewProcesses returns Processes that run points of a configuration file with these --set values.
// command makes a process that reads Requests from its standard input and writes Responses to its
// standard output. A process with more resident memory than the limit is killed; 0 is no limit.
// There must be a file, and a limit needs Linux.
func NewProcesses(file string, set []string, command func() *exec.Cmd, memory units.Bytes) (*Processes, error) {
	if memory > 0 && !usage.KnowsOthers {
		return nil, errors.New("a limit of memory needs the /proc of Linux")
	}
	if file == "" {
		return nil, errors.New("points without a configuration file cannot be run by other processes")
	}
	return &Processes{file: file, set: set, command: command, memory: memory}, nil
}

// A process is one of them.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err *firstOutput
}

// Run runs the point with these --set values. It fails if the process ends, and the error says how
// it ended; if the process takes more than the limit of memory; or if the point's identity is
// another. With ctx it ends the process.
func (r *Processes) Run(ctx context.Context, set []string, identity string) (*result.Result, error) {
	w, err := r.take()
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(Request{Op: "run", Set: set, Full: true})
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

// readResult returns the result that a line holds. A stuck or incomplete run has its reason.
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

// take returns an idle process, or starts one and has it load the configuration.
func (r *Processes) take() (*process, error) {
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		w := r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.mu.Unlock()
		return w, nil
	}
	r.mu.Unlock()
	w := &process{cmd: r.command(), err: &firstOutput{}}
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.cmd.WaitDelay = time.Second // for the processes that it has started
	w.out, w.cmd.Stderr = bufio.NewReader(out), w.err
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(Request{Op: "load", File: r.file, Set: r.set})
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

// give keeps the process for the next point.
func (r *Processes) give(w *process) {
	r.mu.Lock()
	r.idle = append(r.idle, w)
	r.mu.Unlock()
}

// Close ends the idle processes. No Run may be under way.
func (r *Processes) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.idle {
		_ = w.in.Close() // it ends by itself
		_ = w.cmd.Wait()
	}
	r.idle = nil
}

// end kills a process and says how it ended.
func (w *process) end() string {
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

// A firstOutput keeps the first 2,000 bytes that a process prints; a panic prints its text first.
type firstOutput struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *firstOutput) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := 2000 - t.text.Len(); n > 0 {
		t.text.Write(b[:min(n, len(b))])
	}
	return len(b), nil
}

func (t *firstOutput) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.text.String())
}
