// Command causeway simulates AI hardware: it runs a configuration (run) or a sweep of many
// (sweep), compares simulated with published numbers (validate), and lists and describes what a
// configuration may hold (list, describe). causeway help has all commands; package command has the
// exit codes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/cmd/causeway/sweeps"
	"github.com/causeway-sim/causeway/cmd/causeway/trace"
	"github.com/causeway-sim/causeway/cmd/causeway/workload"
	_ "github.com/causeway-sim/causeway/components/std"
)

func main() {
	lazyCollector()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the process at once
	}()
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs the command line and returns the exit code. Once ctx has ended it returns
// within grace, whatever the command is at; see interrupt.go.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if ctx.Done() == nil {
		return carryOut(ctx, args, stdout, stderr)
	}
	code := make(chan int, 1)
	go func() { code <- carryOut(ctx, args, stdout, stderr) }()
	return awaitEnd(ctx, code, stderr)
}

// carryOut runs the command line to its end.
func carryOut(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "causeway: internal error: %v\n%s\nThis is an error of the program, not of your input.\n", p, debug.Stack())
			code = command.ExitInternal
		}
	}()
	root := newRoot()
	root.SetArgs(args)
	out := &checkedOutput{to: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	c, err := root.ExecuteContextC(ctx)
	if out.err != nil && (err == nil || errors.Is(err, out.err)) {
		err = command.ExitWith(command.ExitInternal, fmt.Errorf("standard output: %w", out.err))
	}
	if err == nil {
		return 0
	}
	var ee *command.Exit
	if !errors.As(err, &ee) {
		// unknown commands, flags, missing arguments
		fmt.Fprintf(stderr, "causeway: %v\nusage: %s (%s --help says more)\n", err, c.UseLine(), c.CommandPath())
		return command.ExitInput
	}
	if ee.Err != nil {
		fmt.Fprintf(stderr, "%v\n", ee.Err)
	}
	return ee.Code
}

// checkedOutput keeps the first error of what is printed, for example on a full
// disk: the result of most calls of Fprintf is dropped.
type checkedOutput struct {
	to  io.Writer
	err error
}

func (o *checkedOutput) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "causeway",
		Short: "Simulate AI hardware end to end in one event queue",
		Long: "Causeway simulates accelerators, caches, DRAM and CXL memory, and networks, from one YAML file.\n" +
			"Start with `causeway demo`, then `causeway init mystudy`.\n\n" +
			"How to run is set by flags, else by CAUSEWAY_ENGINE, CAUSEWAY_INPUTS, CAUSEWAY_JOBS and CAUSEWAY_QUIET,\n" +
			"else by engine:, inputs:, jobs: and quiet: in causeway/config.yaml of the user's configuration folder\n" +
			"(or the file that CAUSEWAY_CONFIG names). None of these changes a result.\n\n" +
			"Exit codes: 0 good, 1 internal error, 2 bad input, 3 a check failed, 4 incomplete sweep,\n" +
			"5 the simulation cannot go on, 130 interrupted.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	s := command.NewSettings(root)
	answerVersion(root)
	root.AddCommand(
		runCommand(s), checkCommand(s), importCommand(s), explainCommand(s), mapCommand(s), sweeps.Command(s), validateCommand(s), fitCommand(s),
		listCommand(), describeCommand(), schemaCommand(), compareCommand(), reportCommand(), plotCommand(), demoCommand(s), initCommand(),
		workload.Command(s), trace.Command(), serveCommand(s), doctorCommand(s), versionCommand(),
	)
	addCompletions(root)
	return root
}
