package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/sweeps"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/experiment/sweep/remote"
)

func serveCommand(s *command.Settings) *cobra.Command {
	var set, axes []string
	var stdio bool
	var addr string
	var jobs int
	c := &cobra.Command{
		Use:   "serve DIR | serve --stdio [FILE]",
		Short: "Show a folder of runs and sweeps in a browser; or answer other programs, line by line",
		Long: "With DIR: pages at --addr of this machine for a folder of runs, sweeps and configurations: a list with search,\n" +
			"what runs just now, two runs held against each other, configurations as forms whose changes show their effect\n" +
			"and can be saved, compared and swept. Sweeps that are started there end with the command.\n" +
			"The address that is printed holds a token; without it, from other origins and out of DIR nothing is served.\n\n" +
			"With --stdio: read one JSON object per line from standard input and write one per line to standard output.\n" +
			"FILE, a configuration or a sweep, is read once; then a point costs what its simulation costs.\n\n" +
			`  {"op": "run", "set": {"Core.rows": 64}, "metrics": ["total_time"]}` + "\n" +
			`  {"op": "ask", "n": 8}    {"op": "run", "point": 17}    {"op": "tell", "point": 17, "metrics": {"total_time": 1e6}}` + "\n" +
			`  {"op": "front"}    {"op": "describe"}    {"op": "list", "name": "models"}    {"op": "load", "file": "other.yaml"}` + "\n\n" +
			"An \"id\" comes back with its response; runs answer in the order in which they end.",
		RunE: func(c *cobra.Command, args []string) error {
			if !stdio {
				if len(args) != 1 {
					return errors.New("want DIR, or --stdio")
				}
				return serveDir(c, s, args[0], addr)
			}
			if len(args) > 1 {
				return command.Wants("FILE")(c, args)
			}
			v := &sweep.Service{Options: s.Options(nil)}
			if len(args) == 1 {
				if err := v.Load(c.Context(), &remote.Request{File: args[0], Set: set, Axes: axes}); err != nil {
					return command.BadInput(err)
				}
			} else if len(set)+len(axes) > 0 {
				return command.BadInput(errors.New("--set and --axis want FILE"))
			}
			return answer(c.Context(), v, c.InOrStdin(), c.OutOrStdout(), s.Jobs(jobs))
		},
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "with DIR: address of this machine to listen at; port 0 is any that is free")
	c.Flags().BoolVar(&stdio, "stdio", false, "talk over standard input and output")
	c.Flags().IntVarP(&jobs, "jobs", "j", 0, "points to run at a time (default: one per processor)")
	command.AddSet(c, &set)
	sweeps.AddAxis(c, &axes)
	return c
}

// maxRequest bounds one line of a client: a whole configuration fits.
const maxRequest = 64 << 20

// answer answers requests line by line until in ends. Several runs execute at a time, other
// requests in order.
func answer(ctx context.Context, v *sweep.Service, in io.Reader, out io.Writer, jobs int) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxRequest)
	var mu sync.Mutex
	var failed error
	reply := func(line []byte) {
		b, err := json.Marshal(v.Handle(ctx, line))
		if err != nil {
			b = fmt.Appendf(nil, "{\"error\": %q}", err.Error())
		}
		mu.Lock()
		defer mu.Unlock()
		if _, err := out.Write(append(b, '\n')); err != nil && failed == nil {
			failed = err
		}
	}
	var wg sync.WaitGroup
	free := make(chan struct{}, jobs)
	for ctx.Err() == nil && lines.Scan() {
		line := append([]byte(nil), lines.Bytes()...)
		var q struct{ Op string }
		if len(line) == 0 {
			continue
		}
		if jobs == 1 || json.Unmarshal(line, &q) != nil || q.Op != "run" {
			if q.Op == "load" {
				wg.Wait() // runs are of what was loaded before
			}
			reply(line)
			continue
		}
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			reply(line)
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return command.Interrupted("requests that were not answered were not carried out")
	}
	if err := lines.Err(); err != nil {
		return command.BadInput(fmt.Errorf("standard input: %w", err))
	}
	if failed != nil {
		return command.ExitWith(command.ExitInternal, failed)
	}
	return nil
}
