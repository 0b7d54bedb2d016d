package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/progress"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/item"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/task"
)

// itemFlags are the flags of explain that name one item of a run.
type itemFlags struct {
	layer, node, token, timeline string
	request, step, message       int
}

func (f *itemFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.layer, "layer", "", "explain this layer of layers.csv: what each part of its time went to; if several have the name, the slowest")
	c.Flags().StringVar(&f.node, "node", "", "with --layer: the one on this node")
	c.Flags().IntVar(&f.request, "request", -1, "explain this request of requests.csv, of a server its time to first token; without that file, of all in the order in which they begin")
	c.Flags().StringVar(&f.token, "token", "", "with --request of a server: this token after the first (1, 2, ...), slowest, or all")
	c.Flags().Lookup("token").NoOptDefVal = "slowest"
	c.Flags().IntVar(&f.step, "step", -1, "explain this step of a server or a program, collective of a rank or kernel, in the order in which they begin")
	c.Flags().IntVar(&f.message, "message", -1, "explain this message of the networks, in the order in which they begin")
	c.Flags().StringVar(&f.timeline, "timeline", "", "with one of these: write the tasks of all nodes into this file, too")
}

// asked reports whether a flag selects an item to explain.
func (f *itemFlags) asked(c *cobra.Command) (bool, error) {
	changed := c.Flags().Changed
	var named []string
	for _, x := range []struct {
		flag string
		n    int
	}{{"layer", 0}, {"request", f.request}, {"step", f.step}, {"message", f.message}} {
		if changed(x.flag) {
			named = append(named, "--"+x.flag)
			if x.n < 0 {
				return false, command.BadInput(fmt.Errorf("--%s is %d (want 0 or more)", x.flag, x.n))
			}
		}
	}
	if len(named) > 1 {
		return false, command.BadInput(fmt.Errorf("%s name several items (want one of them)", strings.Join(named, " and ")))
	}
	one := len(named) == 1
	for _, x := range []struct {
		flag  string
		needs bool
		want  string
	}{
		{"node", changed("layer"), "without --layer"}, {"token", changed("request"), "without --request"}, {"timeline", one, "without --layer, --request, --step or --message"},
		{"most", !one, "where one item is explained: nothing is tried"}, {"jobs", !one, "where one item is explained: nothing is tried"},
		{"confirm", !one, "where one item is explained: nothing is tried"}, {"whole", !one, "where one item is explained: nothing is tried"},
	} {
		if changed(x.flag) && !x.needs {
			return false, command.BadInput(fmt.Errorf("--%s has no effect %s", x.flag, x.want))
		}
	}
	return one, nil
}

// query is the item that the flags name.
func (f *itemFlags) query() (item.Query, error) {
	q := item.Query{Layer: f.layer, Node: f.node, Request: f.request, Step: f.step, Message: f.message}
	switch f.token {
	case "":
	case "all":
		q.Token = item.WholeRequest
	case "slowest":
		q.Token = item.Slowest
	default:
		n, err := strconv.Atoi(f.token)
		if err != nil || n < 0 {
			return q, command.BadInput(fmt.Errorf("--token is %q (want a number, slowest or all)", f.token))
		}
		q.Token = n
	}
	return q, nil
}

// explain explains the item of a configuration, or of the run in a folder. It runs the
// experiment again, with a listener to its tasks: results are the same.
func (f *itemFlags) explain(c *cobra.Command, s *command.Settings, of string, set []string, asJSON bool) error {
	q, err := f.query()
	if err != nil {
		return err
	}
	load, err := itemLoader(c, s, of, set)
	if err != nil {
		return err
	}
	var others []task.Listener
	var line *report.TimelineFile
	if f.timeline != "" {
		if line, err = report.CreateTimeline(f.timeline); err != nil {
			return command.BadInput(err)
		}
		defer line.Discard()
		others = append(others, line)
	}
	p := progress.NewMeter(c.ErrOrStderr(), s.Quiet())
	a, err := item.Explain(c.Context(), load, q, p.Run, others...)
	p.Done()
	switch {
	case c.Context().Err() != nil:
		return command.Interrupted("nothing is explained")
	case errors.Is(err, item.ErrUnknown) || experiment.IsBadInput(err):
		return command.BadInput(err)
	case err != nil:
		var coded *command.Exit
		if errors.As(err, &coded) {
			return err
		}
		return command.ExitWith(command.ExitCheck, err)
	}
	if line != nil {
		if err := line.Commit(); err != nil {
			return command.ExitWith(command.ExitInternal, err)
		}
	}
	if !asJSON {
		return a.Print(c.OutOrStdout())
	}
	b, err := a.JSON()
	if err == nil {
		_, err = c.OutOrStdout().Write(b)
	}
	return err
}

// itemLoader makes the experiment of a configuration, or of the folder of a run. Each is
// read again for each run.
func itemLoader(c *cobra.Command, s *command.Settings, of string, set []string) (item.Loader, error) {
	options := func(listeners []task.Listener) experiment.Options {
		o := s.Options(set)
		o.Tasks = listeners
		return o
	}
	if of == stdinFile {
		return nil, command.BadInput(errors.New("an item is explained by running its configuration, maybe twice: it must be a file"))
	}
	if !folder.IsRun(of) {
		return func(listeners ...task.Listener) (*experiment.Experiment, error) {
			return load(c.Context(), of, options(listeners))
		}, nil
	}
	r, err := folder.Run(of)
	if err != nil {
		return nil, command.BadInput(err)
	}
	name := filepath.Join(baseOf(of, r.Process.Command), "config.resolved.yaml")
	return func(listeners ...task.Listener) (*experiment.Experiment, error) {
		loader := experiment.NewLoader(options(listeners))
		loader.Text(name, r.Config)
		x, err := loader.Open(name, set)
		if err == nil && len(set) == 0 && x.Identity() != r.Identity {
			err = fmt.Errorf("%s holds a result that this program does not make from its configuration any more: run it again", of)
		}
		return x, command.BadInput(err)
	}, nil
}
