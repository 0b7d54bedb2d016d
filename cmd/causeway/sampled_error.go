package main

import (
	"context"
	"fmt"
	"io"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/progress"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
)

// A smallCase is the result of run --sampled-error; empty without the flag.
type smallCase struct {
	table    *stats.Table
	sentence string
}

// smallCase runs the small case before the run itself, if --sampled-error is set.
func (o *runOutput) smallCase(ctx context.Context, x *experiment.Experiment) (out smallCase, err error) {
	if !o.sampledError {
		return out, nil
	}
	p := progress.NewMeter(o.stderr, o.quiet)
	e, err := x.SampledError(ctx, p.Run)
	p.Done()
	if ctx.Err() != nil {
		return out, command.Interrupted("the small case of --sampled-error was not done")
	}
	if err != nil {
		return out, command.BadInput(fmt.Errorf("--sampled-error: %w", err))
	}
	out.table, out.sentence = report.SampledError(e)
	return out, nil
}

// file is the table as a file; one without data is not written.
func (s *smallCase) file() result.File {
	return result.File{Name: report.SampledErrorName, Data: result.TableCSV(s.table)}
}

func (s *smallCase) print(w io.Writer) {
	if s.table != nil {
		fmt.Fprintln(w)
		report.Table(w, s.table)
		fmt.Fprintln(w, s.sentence)
	}
}
