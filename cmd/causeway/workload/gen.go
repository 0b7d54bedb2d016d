package workload

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/chakra"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
)

func workloadGen() *cobra.Command {
	var ranks int
	var bytes, out, algorithm string
	var set []string
	c := &cobra.Command{
		Use:   "gen MOTIF",
		Short: "Write a pattern of communication as Chakra execution traces, a file per rank",
		Long: "Write a pattern of communication as Chakra execution traces, a file per rank.\n" +
			"A collective is one node of each rank; --algorithm writes its messages out.\n" +
			"MOTIF is one of: " + strings.Join(motif.All.Names(), ", ") + ".",
		Example: "  causeway workload gen all_reduce --ranks 72 --bytes 1MiB --out traces\n" +
			"  causeway workload gen all_reduce --ranks 72 --bytes 1MiB --algorithm ring --set chunks=4 --out traces\n" +
			"  causeway workload gen halo3d --ranks 27 --set cells=[16,16,16] --set steps=4 --out traces",
		Args: command.Wants("MOTIF"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := generate(args[0], ranks, bytes, algorithm, set)
			if err != nil {
				return command.BadInput(err)
			}
			if out == "" {
				return command.BadInput(errors.New("--out is missing: the folder to write to"))
			}
			return command.BadInput(writeRanks(c.OutOrStdout(), out, args[0], p))
		},
	}
	c.Flags().IntVarP(&ranks, "ranks", "r", 0, "how many")
	c.Flags().StringVarP(&bytes, "bytes", "b", "", "data of each rank, of a collective")
	c.Flags().StringVarP(&algorithm, "algorithm", "a", "", "write the messages of a collective by this algorithm (one of: "+strings.Join(collective.All.Names(), ", ")+")")
	c.Flags().StringArrayVarP(&set, "set", "s", nil, "parameter of the motif, or of the algorithm (repeatable)")
	c.Flags().StringVarP(&out, "out", "o", "", "folder to write to")
	return c
}

// generate makes the program that the flags describe.
func generate(name string, ranks int, bytes, algorithm string, set []string) (*comm.Program, error) {
	e, err := motif.All.Find(name)
	if err != nil {
		return nil, err
	}
	if ranks < 1 {
		return nil, errors.New("--ranks is missing: how many")
	}
	if algorithm == "" {
		if bytes != "" {
			set = append([]string{"bytes=" + bytes}, set...)
		}
		spec, err := decodeSet(e.Spec, set)
		if err != nil {
			return nil, err
		}
		return motif.Make(name, ranks, spec)
	}
	op, err := collective.ParseOperation(name)
	if err != nil {
		return nil, fmt.Errorf("--algorithm: %w", err)
	}
	a, ok := collective.All.Entry(algorithm)
	if !ok {
		return nil, fmt.Errorf("unknown collective algorithm %q (want one of: %s)", algorithm, strings.Join(collective.All.Names(), ", "))
	}
	n := units.Bytes(1 << 20)
	if op == collective.Barrier {
		n = 0
	}
	if bytes != "" {
		if n, err = units.ParseBytes(bytes); err != nil {
			return nil, fmt.Errorf("--bytes: %w", err)
		}
	}
	spec, err := decodeSet(a.Spec, set)
	if err != nil {
		return nil, err
	}
	s, err := collective.New(algorithm, collective.Request{Operation: op, Ranks: ranks, Bytes: int64(n)}, spec)
	if err != nil {
		return nil, err
	}
	if algorithm == "in_network" {
		return nil, fmt.Errorf("algorithm %s has no messages between ranks that a trace could hold: the network adds up", algorithm)
	}
	if s.Steps != collective.StepsFree && s.Steps != "" {
		return nil, fmt.Errorf("steps %s has no effect on a trace: what replays its messages knows no steps (want steps=free, or a node of kind ranks with the collective)", s.Steps)
	}
	return comm.FromSchedule(s), nil
}

// decodeSet reads key=value settings into a copy of def.
func decodeSet(def any, set []string) (any, error) {
	var text strings.Builder
	for _, s := range set {
		key, value, ok := strings.Cut(s, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--set %q: want KEY=VALUE", s)
		}
		fmt.Fprintf(&text, "%s: %s\n", key, value)
	}
	if def == nil && len(set) > 0 {
		return nil, fmt.Errorf("--set %s: there are no parameters", set[0])
	}
	if len(set) == 0 {
		return def, nil
	}
	const here = "command line"
	v, err := configs.ParseValue(here, []byte(text.String()))
	if err != nil {
		return nil, withoutPlace(err, here)
	}
	to := reflect.New(reflect.TypeOf(def))
	to.Elem().Set(reflect.ValueOf(def))
	err = v.Decode(to.Interface())
	return to.Elem().Interface(), withoutPlace(err, here)
}

// writeRanks writes a file per rank into a folder, and says where. One rank too many
// that is there already would be read as part of the program.
func writeRanks(w io.Writer, out, name string, p *comm.Program) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	pattern := filepath.Join(out, name+".%d.et")
	path := func(i int) string { return filepath.Join(out, fmt.Sprintf("%s.%d.et", name, i)) }
	if next := path(len(p.Ranks)); exists(next) {
		return fmt.Errorf("%s is there already, of a program of more than %d ranks (want another --out)", next, len(p.Ranks))
	}
	for i := range p.Ranks {
		if err := writeRank(path(i), p, i); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d files: %s\n", len(p.Ranks), pattern)
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// writeRank writes a file under a temporary name first.
func writeRank(path string, p *comm.Program, rank int) error {
	f, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	err = chakra.Write(f, p, rank)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(path+".part", path)
	}
	if err != nil {
		os.Remove(path + ".part")
	}
	return atomicfile.Renamed(err, path+".part", path)
}
