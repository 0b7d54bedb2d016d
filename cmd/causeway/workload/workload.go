package workload

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Command is the command workload with its subcommands.
func Command(s *command.Settings) *cobra.Command {
	c := &cobra.Command{Use: "workload", Short: "Summarise a model or a workload file, or make one",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return fmt.Errorf("unknown command %q (want one of: info, layers, gen, convert)", args[0])
		}}
	c.AddCommand(workloadInfo(s), workloadLayers(s), workloadGen(), workloadConvert(s))
	return c
}

// openWorkload builds the graph that FILE or NAME and the settings describe, by
// the same code as a configuration's workload section.
func openWorkload(s *command.Settings, name string, set []string) (*graph.Graph, error) {
	section := map[string]any{}
	if _, err := os.Stat(name); err == nil || strings.HasPrefix(name, "inputs:") {
		section["file"] = name
	} else {
		section["model"] = name
	}
	src, err := yaml.Marshal(map[string]any{"schema": "causeway/1", "workload": section})
	if err != nil {
		return nil, err
	}
	for i, x := range set {
		if !strings.HasPrefix(x, "workload.") {
			set[i] = "workload." + x
		}
	}
	const here = "command line" // the configuration is our own; its lines mean nothing
	o := s.Options(set)
	g, err := demand.Graph(here, src, configs.Options{Set: o.Set, Inputs: o.Inputs, Dir: "."})
	return g, withoutPlace(err, here)
}

// withoutPlace takes the positions in a file away from errors.
func withoutPlace(err error, file string) error {
	var errs configs.Errors
	errs.Add(err)
	for i, e := range errs {
		if ce, ok := errors.AsType[*configs.Error](e); ok && ce.File == file {
			c := *ce
			c.Pos = configs.Pos{}
			errs[i] = &c
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return errs
}

func workloadInfo(s *command.Settings) *cobra.Command {
	var set []string
	c := &cobra.Command{
		Use:     "info FILE|NAME",
		Short:   "Summarise a model or a communication trace",
		Example: "  causeway workload info llama3_8b --set phase=decode --set context=4096\n  causeway workload info traces/all_reduce.%d.et",
		Args:    command.Wants("FILE|NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			if path, ok := commTrace(s, args[0]); ok {
				return commInfo(c.OutOrStdout(), path, set)
			}
			g, err := openWorkload(s, args[0], set)
			if err != nil {
				return command.BadInput(err)
			}
			t := &stats.Table{Columns: []stats.Column{{Name: "what"}, {Name: "value", Unit: stats.One}, {Name: "unit"}}}
			t.Append("operators", int64(len(g.Ops)), "1")
			t.Append("tensors", int64(len(g.Tensors)), "1")
			t.Append("multiply-accumulates", g.MACs(), "1")
			t.Append("parameters", g.Params(), "1")
			bytes := map[graph.Role]int64{}
			for i := range g.Tensors {
				bytes[g.Tensors[i].Role] += g.Tensors[i].Bytes()
			}
			for _, r := range []graph.Role{graph.Input, graph.Weight, graph.Activation, graph.KV, graph.Output, graph.Gradient, graph.Optimizer} {
				if bytes[r] > 0 {
					t.Append(r.String()+" tensors", bytes[r], "B")
				}
			}
			fmt.Fprintln(c.OutOrStdout(), g.Name)
			report.Table(c.OutOrStdout(), t)
			for _, note := range g.Notes {
				fmt.Fprintln(c.ErrOrStderr(), "warning:", note)
			}
			return nil
		},
	}
	c.Flags().StringArrayVarP(&set, "set", "s", nil, "parameter of the workload, for example batch=4 (repeatable)")
	return c
}

func workloadLayers(s *command.Settings) *cobra.Command {
	var set []string
	var asCSV bool
	c := &cobra.Command{
		Use:   "layers FILE|NAME",
		Short: "List the operators of a model",
		Args:  command.Wants("FILE|NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := openWorkload(s, args[0], set)
			if err != nil {
				return command.BadInput(err)
			}
			t := graph.LayerTable(g)
			if asCSV {
				_, err := c.OutOrStdout().Write(result.TableCSV(t))
				return err
			}
			report.Table(c.OutOrStdout(), t)
			return nil
		},
	}
	c.Flags().StringArrayVarP(&set, "set", "s", nil, "parameter of the workload, for example batch=4 (repeatable)")
	c.Flags().BoolVar(&asCSV, "csv", false, "print CSV")
	return c
}
