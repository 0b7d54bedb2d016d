package main

import (
	"fmt"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/components/experiment"
)

// A nestSearch is how map searches for the mapping of a loop nest: flags that stand
// for keys of the node.
type nestSearch struct {
	algorithm, objective string
	evaluations          int64
	workers              int
}

func (f *nestSearch) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.algorithm, "search", "", "search a loop nest: random, local, exhaustive or gradient")
	c.Flags().StringVar(&f.objective, "objective", "", "what the search minimises: cycles, energy, edp, traffic or time (energy and edp need energies)")
	c.Flags().Int64Var(&f.evaluations, "evaluations", 0, "mappings to evaluate; 0 is all for exhaustive (default with gradient 100)")
	c.Flags().IntVarP(&f.workers, "jobs", "j", 0, "searches at a time; results do not depend on it (default: one per core)")
}

func (f *nestSearch) asked(c *cobra.Command) bool {
	for _, name := range []string{"search", "objective", "evaluations"} {
		if c.Flags().Changed(name) {
			return true
		}
	}
	return false
}

// limit limits the number of searches that run at a time.
func (f *nestSearch) limit() error {
	if f.workers < 0 {
		return fmt.Errorf("--jobs is %d (want 1 or more)", f.workers)
	}
	if f.workers > 0 {
		runtime.GOMAXPROCS(f.workers)
	}
	return nil
}

// sets are the settings of the nodes that search.
func (f *nestSearch) sets(c *cobra.Command, nodes []string) ([]experiment.Setting, error) {
	if len(nodes) == 0 {
		return nil, fmt.Errorf("--search, --objective and --evaluations are of loop nests, and no node of this system maps any (want a node of kind spatial)")
	}
	var out []experiment.Setting
	for _, name := range nodes {
		add := func(flag, key, value string) {
			if c.Flags().Changed(flag) {
				out = append(out, experiment.Setting{Flag: "--" + flag, Set: name + ".search." + key + "=" + value})
			}
		}
		out = append(out, experiment.Setting{Flag: "--search", Set: name + ".search.always=true"})
		add("search", "algorithm", f.algorithm)
		add("objective", "objective", f.objective)
		add("evaluations", "evaluations", strconv.FormatInt(f.evaluations, 10))
	}
	return out, nil
}
