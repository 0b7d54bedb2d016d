package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/fewer"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/components/usage"
)

// A memoryLimit is the greatest memory of the process. Without --max-memory it is the free memory
// of the machine at the begin of the command, because the system would kill a larger run.
type memoryLimit struct {
	text  string // of --max-memory
	bytes uint64 // 0: unknown, no limit
	asked bool
}

func (l *memoryLimit) declare(c *cobra.Command) {
	c.Flags().StringVar(&l.text, "max-memory", "", "most memory of the run, for example 8GiB: a run that is estimated to need more is refused, and one that uses more ends early with the results so far (default: the free memory of the machine, without the estimate)")
}

// read sets the limit.
func (l *memoryLimit) read() error {
	if l.text == "" {
		if free := uint64(usage.Free()); free > 0 {
			l.bytes = free - free/16 + uint64(usage.Resident(os.Getpid()))
		}
		return nil
	}
	n, err := units.ParseBytes(l.text)
	if err != nil || n == 0 {
		return command.BadInput(fmt.Errorf("--max-memory %s: want an amount such as 8GiB", l.text))
	}
	l.bytes, l.asked = uint64(n), true
	debug.SetMemoryLimit(int64(l.bytes - l.bytes/8)) // collect garbage before it counts
	return nil
}

// watchEvery is how often the memory of the process is looked at.
const watchEvery = 50 * time.Millisecond

// largeRun is the size from which on a run prints its counted memory.
const largeRun = 3 << 30

// watch cancels the context, with a cause, when the process exceeds the limit. The command calls
// leave at its end.
func (l *memoryLimit) watch(ctx context.Context, note func(string)) (watched context.Context, leave func()) {
	watched, cancel := context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		large := false
		for {
			select {
			case <-watched.Done():
				return
			case <-tick.C:
			}
			n := uint64(usage.Resident(os.Getpid()))
			collectMore(n)
			if n > largeRun && !large && !l.asked {
				large = true
				note(fmt.Sprintf("this takes more than %s of memory; the machine had %s free (--max-memory sets a limit)", experiment.Memory(largeRun), experiment.Memory(l.bytes)))
			}
			if l.bytes > 0 && n > l.bytes {
				cancel(&experiment.Stop{Reason: l.reason()})
				return
			}
		}
	}()
	return watched, func() { cancel(nil) }
}

// reason is what ended a run.
func (l *memoryLimit) reason() string {
	if l.asked {
		return fmt.Sprintf("it takes more than --max-memory %s", l.text)
	}
	return fmt.Sprintf("it takes more memory than the machine has free, %s", experiment.Memory(l.bytes))
}

// lessMemory is advice.
const lessMemory = "fewer ranks, cores, requests or layers take less, and so does simulation.repeat: sampled"

// stopped is the exit of a command whose context a memoryLimit has ended; nil otherwise.
func stopped(ctx context.Context, what string) error {
	var s *experiment.Stop
	if !errors.As(context.Cause(ctx), &s) {
		return nil
	}
	return command.BadInput(fmt.Errorf("%s: %w; %s", what, s, lessMemory))
}

// estimateFor is the time for which a run is simulated for its estimate.
const estimateFor = 2 * time.Second

// count prints the counted memory of a large run before the first event.
func (l *memoryLimit) count(x *experiment.Experiment, note func(string)) {
	e := x.Count()
	if l.asked || e.Bytes < largeRun && (l.bytes == 0 || e.Bytes < l.bytes) {
		return
	}
	note(fmt.Sprintf("this is counted to take %s of memory, of which %s are in use and the rest are %d rows of layers.csv; the machine has %s free (--max-memory sets a limit)",
		experiment.Memory(e.Bytes), experiment.Memory(e.Live), e.Rows, experiment.Memory(l.bytes)))
}

// refuse estimates a run with --max-memory, and refuses one that is too large.
func (l *memoryLimit) refuse(ctx context.Context, file string, x *experiment.Experiment) error {
	if !l.asked {
		return nil
	}
	e, err := x.Estimate(ctx, estimateFor)
	if ctx.Err() != nil {
		if err := stopped(ctx, file); err != nil {
			return err
		}
		return command.Interrupted("nothing was run")
	}
	if err != nil {
		return nil // the run itself comes to it
	}
	return l.above(file, e)
}

// estimateByFewer prints the estimate of a system that is too large to be built for it; known is
// false where it is not.
func (l *memoryLimit) estimateByFewer(ctx context.Context, c *cobra.Command, file string, o experiment.Options, asJSON bool) (known bool, err error) {
	if !o.Observe { // nothing is to be estimated
		return false, nil
	}
	e, seconds, known := fewer.Estimate(ctx, file, o, estimateFor/2)
	if !known {
		return false, nil
	}
	if err := printEstimate(c, e, time.Duration(seconds*float64(time.Second)), asJSON); err != nil {
		return true, command.ExitWith(command.ExitInternal, err)
	}
	return true, l.above(file, e)
}

// above refuses an estimate that is above the limit.
func (l *memoryLimit) above(file string, e experiment.Estimate) error {
	if !l.asked || e.Bytes <= l.bytes {
		return nil
	}
	return command.BadInput(fmt.Errorf("%s: it is estimated to take %s of memory, and --max-memory is %s; %s", file, experiment.Memory(e.Bytes), l.text, lessMemory))
}

// printEstimate prints the estimated time and memory of a run.
func printEstimate(c *cobra.Command, e experiment.Estimate, loading time.Duration, asJSON bool) error {
	if asJSON {
		return command.PrintJSON(c, struct {
			experiment.Estimate
			Loading float64 `json:"loading_s"`
		}{e, loading.Seconds()})
	}
	w := c.OutOrStdout()
	round := func(seconds float64) time.Duration {
		d := time.Duration(seconds * float64(time.Second))
		switch {
		case d > time.Minute:
			return d.Round(time.Second)
		case d > time.Second:
			return d.Round(100 * time.Millisecond)
		}
		return d.Round(time.Millisecond)
	}
	switch {
	case e.Fewer > 0:
		fmt.Fprintf(w, "about %s of processor time and %s of memory, from systems of up to %d nodes, whose run took %s\n", round(loading.Seconds()+e.Seconds), experiment.Memory(e.Bytes), e.Fewer, round(e.Ran))
	case e.Whole:
		fmt.Fprintf(w, "%s of processor time and %s of memory, measured: it came to its end\n", round(loading.Seconds()+e.Seconds), experiment.Memory(e.Bytes))
	case !e.Known():
		fmt.Fprintf(w, "more than %s of processor time and %s of memory: none of %d %s ended within %s\n", round(loading.Seconds()+e.Ran), experiment.Memory(e.Bytes), e.Total, e.Unit, round(e.Ran))
	default:
		fmt.Fprintf(w, "about %s of processor time and %s of memory, from %s in which %d of %d %s ended (%s to load it)\n", round(loading.Seconds()+e.Seconds), experiment.Memory(e.Bytes), round(e.Ran), e.Done, e.Total, e.Unit, round(loading.Seconds()))
	}
	return nil
}
