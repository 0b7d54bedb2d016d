package workload

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/workloads/comm"
)

func workloadConvert(s *command.Settings) *cobra.Command {
	var to comm.Resizing
	var out string
	c := &cobra.Command{
		Use:   "convert TRACE",
		Short: "Write a communication trace as Chakra execution traces, also for another number of ranks",
		Long: "Write a communication trace as Chakra execution traces, a file per rank, also for another\n" +
			"number of ranks: a multiple or a divisor of those it has, as if it were data parallel.\n" +
			"Computations, memory and messages are copied; communicators inside a --block are copied\n" +
			"with it, others have more ranks. An all_reduce, a reduce and a broadcast keep their size;\n" +
			"--keep says what the other collectives keep. Of fewer ranks the first remain. Attributes\n" +
			"that Causeway does not read are left out.",
		Example: "  causeway workload convert traces/step.%d.et --ranks 64 --out bigger\n" +
			"  causeway workload convert traces/step.%d.et --ranks 64 --block 8 --keep vectors --out bigger\n" +
			"  causeway workload convert dumpi --out chakra",
		Args: command.Wants("TRACE"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := converted(s, args[0], to, c.Flags().Changed)
			if err != nil {
				return command.BadInput(err)
			}
			if out == "" {
				return command.BadInput(errors.New("--out is missing: the folder to write to"))
			}
			return command.BadInput(writeRanks(c.OutOrStdout(), out, "trace", p))
		},
	}
	c.Flags().IntVarP(&to.Ranks, "ranks", "r", 0, "how many; as many as the trace has, if left out")
	c.Flags().IntVar(&to.Block, "block", 0, "neighbouring ranks that hold the model once, a divisor of the ranks of the trace")
	c.Flags().StringVar(&to.Keep, "keep", comm.Keeps[0], "of other collectives than all_reduce, reduce and broadcast: shares (data from one rank to one other) or vectors (data of all ranks together)")
	c.Flags().StringVarP(&out, "out", "o", "", "folder to write to")
	return c
}

// converted reads a trace and changes its number of ranks.
func converted(s *command.Settings, name string, to comm.Resizing, changed func(flag string) bool) (*comm.Program, error) {
	path, _ := commTrace(s, name)
	if path == "" {
		return nil, fmt.Errorf("%s: want a path below the folder of inputs that CAUSEWAY_INPUTS names", name)
	}
	p, _, err := comm.Open(path, comm.Options{})
	if err != nil {
		return nil, err
	}
	if !changed("ranks") {
		to.Ranks = len(p.Ranks)
	}
	if changed("block") && to.Block < 1 {
		return nil, fmt.Errorf("--block is %d (want 1 or more)", to.Block)
	}
	if p, err = comm.Resize(p, to); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.TrimSuffix(path, "/"), err)
	}
	return p, nil
}
