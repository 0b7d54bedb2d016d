package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/experiment/catalogue"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	kinds "github.com/causeway-sim/causeway/components/system"
)

func listCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list [WHAT]",
		Short: "List what is built in: node kinds, models, dataflows, formats, networks, policies, presets",
		Long: "List what is built in: node kinds, models, dataflows, formats, networks, policies, presets.\n" +
			"WHAT is one of: " + strings.Join(catalogue.Names(), ", ") + ", " + chips + " (GPUs as a table).",
		Example: "  causeway list models",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Wants("WHAT")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == chips {
				return listChips(c, asJSON)
			}
			cat := catalogue.All()
			if len(args) == 1 {
				i := slices.IndexFunc(cat, func(s catalogue.Section) bool { return s.What == args[0] || s.Plural() == args[0] })
				if i < 0 {
					return command.BadInput(fmt.Errorf("nothing is called %q (want one of: %s)", args[0], strings.Join(append(catalogue.Names(), chips), ", ")))
				}
				cat = cat[i : i+1]
			}
			if asJSON {
				out := map[string]map[string]string{}
				for _, s := range cat {
					names := map[string]string{}
					for _, it := range s.Items {
						names[it.Name] = it.Doc
					}
					out[s.Plural()] = names
				}
				return command.PrintJSON(c, out)
			}
			for i, s := range cat {
				if i > 0 {
					fmt.Fprintln(c.OutOrStdout())
				}
				t := &stats.Table{Columns: []stats.Column{{Name: s.What}, {Name: "what it does"}}}
				for _, it := range s.Items {
					t.Append(it.Name, it.Doc)
				}
				report.Table(c.OutOrStdout(), t)
			}
			return nil
		},
		ValidArgs: append(catalogue.Names(), chips),
	}
	command.AddJSON(c, &asJSON)
	return c
}

// chips are the presets of GPUs and of chips of arrays as a table.
const chips = "chips"

func listChips(c *cobra.Command, asJSON bool) error {
	t, err := catalogue.Chips()
	if err != nil {
		return command.ExitWith(command.ExitInternal, err)
	}
	if asJSON {
		return command.PrintJSON(c, catalogue.ByName(t))
	}
	report.Table(c.OutOrStdout(), t)
	return nil
}

func describe(w io.Writer, it catalogue.Item, same bool) {
	fmt.Fprintf(w, "%s (%s)\n%s\n", it.Name, it.What, it.Doc)
	if it.Source != "" {
		fmt.Fprintf(w, "Source: %s\n", it.Source)
	}
	if it.Text != "" {
		fmt.Fprintf(w, "\n%s", it.Text)
	}
	if it.What == "kind" {
		describeQuestion(w, it.Name)
	}
	if len(it.Keys) == 0 {
		return
	}
	if same {
		fmt.Fprintln(w, "Keys: the same.")
		return
	}
	t := &stats.Table{Columns: []stats.Column{{Name: "key"}, {Name: "default"}, {Name: "type"}, {Name: "meaning"}}}
	for _, k := range it.Keys {
		t.Append(k.Path, k.Default, k.Type, keyText(k))
	}
	report.Table(w, t)
}

// describeQuestion prints the main metrics of a kind of node, and its levers.
func describeQuestion(w io.Writer, name string) {
	e, ok := kinds.Kinds.Entry(name)
	if !ok {
		return
	}
	var first, help []string
	for _, h := range e.New.Headlines {
		if h.Better == kinds.Neither {
			first = append(first, h.Metric)
			continue
		}
		first = append(first, fmt.Sprintf("%s (%s is better)", h.Metric, h.Better))
	}
	for _, l := range e.New.Levers(e.Spec) {
		sign := " x2"
		if l.Half {
			sign = " /2"
		}
		help = append(help, l.Text+sign)
	}
	if len(first) > 0 {
		fmt.Fprintf(w, "Headlines: %s.\n", strings.Join(first, ", "))
	}
	if len(help) > 0 {
		fmt.Fprintf(w, "May help (causeway explain): %s.\n", strings.Join(help, ", "))
	}
}

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [sweep]",
		Short: "Print the JSON Schema of configurations, or of sweep files, for editors",
		RunE: func(c *cobra.Command, args []string) error {
			schema := catalogue.Schema
			if len(args) > 0 {
				if schema = sweep.Schema; len(args) > 1 || args[0] != "sweep" {
					return command.BadInput(fmt.Errorf("schema %s: want nothing, or sweep", strings.Join(args, " ")))
				}
			}
			b, err := schema()
			if err != nil {
				return command.ExitWith(command.ExitInternal, err)
			}
			_, err = c.OutOrStdout().Write(b)
			return err
		},
	}
}
