package trace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// Command is the command trace with its subcommands.
func Command() *cobra.Command {
	c := &cobra.Command{Use: "trace", Short: "Summarise a memory trace, or write it in another format",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return fmt.Errorf("unknown command %q (want one of: info, head, convert, check, mrc)", args[0])
		}}
	c.AddCommand(traceInfo(), traceHead(), traceConvert(), traceCheck(), traceMRC())
	return c
}

// A traceFlags says what a file leaves open.
type traceFlags struct {
	format, line string
}

func (f *traceFlags) add(c *cobra.Command) {
	c.Flags().StringVarP(&f.format, "format", "f", "", "format of FILE; the content decides by default (one of: "+strings.Join(trace.All.Names(), ", ")+")")
	c.Flags().StringVar(&f.line, "line", "64B", "bytes that a line or object number stands for")
}

func (f *traceFlags) open(path string) (*trace.File, error) {
	n, err := units.ParseBytes(f.line)
	if err != nil || n == 0 {
		return nil, command.BadInput(fmt.Errorf("--line %q: want an amount of data, for example 64B", f.line))
	}
	t, err := trace.Open(path, trace.Options{Format: f.format, Line: uint64(n)})
	if err != nil {
		return nil, command.BadInput(err)
	}
	return t, nil
}

func traceInfo() *cobra.Command {
	var f traceFlags
	c := &cobra.Command{
		Use:     "info FILE",
		Short:   "Read a trace to its end and summarise it",
		Example: "  causeway trace info run.trace.gz",
		Args:    command.Wants("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			t, err := f.open(args[0])
			if err != nil {
				return err
			}
			defer t.Close()
			s, readErr := trace.Summarize(t)
			h := t.Header()
			tb := &stats.Table{Columns: []stats.Column{{Name: "what"}, {Name: "value"}}}
			row := func(what, format string, args ...any) { tb.Append(what, fmt.Sprintf(format, args...)) }
			row("format", "%s", t.Format)
			if t.Compression != "" {
				row("compression", "%s", t.Compression)
			}
			row("fields", "%s", h.Fields)
			row("records", "%d", s.Records)
			if s.Records > 0 {
				row("reads", "%d", s.Records-s.Writes)
				row("writes", "%d", s.Writes)
				if h.Fields&trace.Sizes != 0 {
					row("bytes", "%s", units.Bytes(s.Bytes))
				}
				row("addresses", "%#x to %#x", s.Low, s.High)
				if h.Objects && h.Line == 64 {
					row("objects", "%d", s.Lines)
				} else {
					row("64 B blocks", "%d", s.Lines)
				}
				if h.Fields&trace.Times != 0 {
					row("times", "%d to %d", s.First, s.Last)
					row("one tick", "%s", h.Tick)
				}
				if h.Fields&trace.Cores != 0 {
					row("cores", "%d", s.Cores)
				}
			}
			if n := t.Unended(); n > 0 {
				row("last line", "%d, which nothing ends: the trace may be cut off", n)
			}
			if len(h.Tensors) > 0 {
				row("tensors", "%d", len(h.Tensors))
			}
			report.Table(c.OutOrStdout(), tb)
			return command.BadInput(readErr) // what was read before it is above
		},
	}
	f.add(c)
	return c
}

func traceCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Verify a trace of DRAM commands against every constraint of its standard",
		Long: "Verify a trace of DRAM commands, as a memory with command_trace: true writes it, against every\n" +
			"timing constraint of its standard, the command buses and the states of the banks. The checker\n" +
			"shares the tables of the standards with the scheduler and nothing else.",
		Example: "  causeway trace check runs/dram/Mem.commands",
		Args:    command.Wants("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return command.BadInput(err)
			}
			defer f.Close()
			seen, fault := buslog.CheckLog(args[0], f)
			tb := &stats.Table{Columns: []stats.Column{{Name: "what"}, {Name: "value"}}}
			row := func(what, format string, args ...any) { tb.Append(what, fmt.Sprintf(format, args...)) }
			row("grade", "%s", seen.Grade)
			row("channels", "%d of %d ranks", seen.Channels, seen.Ranks)
			row("good commands", "%d", seen.Commands)
			for k, n := range seen.By {
				if n > 0 {
					row(seen.Names[k], "%d", n)
				}
			}
			row("last", "clock %d", seen.Last)
			report.Table(c.OutOrStdout(), tb)
			if errors.Is(fault, buslog.ErrIllegal) {
				return command.ExitWith(command.ExitCheck, fault)
			}
			return command.BadInput(fault) // of nil it is nil
		},
	}
}

func traceHead() *cobra.Command {
	var f traceFlags
	var n uint64
	c := &cobra.Command{
		Use:   "head FILE",
		Short: "Print the first records of a trace as CSV",
		Args:  command.Wants("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			t, err := f.open(args[0])
			if err != nil {
				return err
			}
			defer t.Close()
			return write(c.OutOrStdout(), c.ErrOrStderr(), t, trace.Conversion{Format: "csv", Limit: n}, false)
		},
	}
	f.add(c)
	c.Flags().Uint64VarP(&n, "records", "n", 10, "how many; 0 is all")
	return c
}

func traceConvert() *cobra.Command {
	var f traceFlags
	var to, out, clockText, bytes string
	var n uint64
	c := &cobra.Command{
		Use:   "convert FILE",
		Short: "Write a trace in another format",
		Long: "Write a trace in another format. What the format has no place for is named and left out.\n" +
			"A name behind --out that ends in .gz, .xz or .zst is compressed.",
		Example: "  causeway trace convert run.trace.gz --to causeway --out run.ct.zst\n  causeway trace convert packets.trc --to dramsim3 --clock 1600MHz",
		Args:    command.Wants("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			conv := trace.Conversion{Format: to, Limit: n}
			if to == "" {
				return command.BadInput(fmt.Errorf("--to is missing (want one of: %s)", strings.Join(trace.All.Names(), ", ")))
			}
			if clockText != "" {
				freq, err := units.ParseFrequency(clockText)
				if err != nil {
					return command.BadInput(fmt.Errorf("--clock: %w", err))
				}
				conv.Clock = freq.Clock
			}
			size, err := units.ParseBytes(bytes)
			if err != nil || size == 0 || size > 1<<31 {
				return command.BadInput(fmt.Errorf("--bytes %q: want an amount of data, for example 64B", bytes))
			}
			conv.Bytes = uint32(size)
			t, err := f.open(args[0])
			if err != nil {
				return err
			}
			defer t.Close()
			if out == "" {
				return write(c.OutOrStdout(), c.ErrOrStderr(), t, conv, true)
			}
			return writeFile(out, c.ErrOrStderr(), t, conv)
		},
	}
	f.add(c)
	c.Flags().StringVarP(&to, "to", "t", "", "format to write")
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	c.Flags().StringVar(&clockText, "clock", "", "clock of cycles, where one side counts them and the other seconds")
	c.Flags().StringVar(&bytes, "bytes", "64B", "size of accesses that FILE does not say")
	c.Flags().Uint64VarP(&n, "records", "n", 0, "how many; 0 is all")
	return c
}

// write converts the trace, and prints the fields left out if told is set.
func write(w, stderr io.Writer, t *trace.File, conv trace.Conversion, told bool) error {
	n, dropped, err := conv.Convert(w, t)
	if told && dropped != 0 {
		fmt.Fprintf(stderr, "%s has no place for: %s\n", conv.Format, dropped)
	}
	if k := t.Unended(); k > 0 {
		fmt.Fprintf(stderr, "warning: %s:%d: nothing ends the last line: the trace may be cut off\n", t.Name, k)
	}
	if err != nil {
		var e *trace.Error
		if errors.As(err, &e) && n > 0 {
			err = fmt.Errorf("%w; the %d records before it are written", err, n)
		}
		return command.BadInput(err)
	}
	return nil
}

// writeFile writes under a temporary name first, as far as the trace can be read.
func writeFile(path string, stderr io.Writer, t *trace.File, conv trace.Conversion) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return command.BadInput(err)
	}
	defer f.Discard()
	z, err := trace.Compress(f, trace.CompressionOf(path))
	if err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	readErr := write(z, stderr, t, conv, true)
	if err := z.Close(); err != nil {
		return command.BadInput(f.Named(err))
	}
	if err := f.Commit(); err != nil {
		return command.BadInput(err)
	}
	return readErr
}
