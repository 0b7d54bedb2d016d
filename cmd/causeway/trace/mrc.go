package trace

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/missratio"
	"github.com/causeway-sim/causeway/memory/object"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/trace"
)

func traceMRC() *cobra.Command {
	var f traceFlags
	var s missratio.Spec
	var sizes, cacheLine, out string
	c := &cobra.Command{
		Use:   "mrc FILE",
		Short: "Write the miss ratios of a trace over cache sizes",
		Long: "Write the miss ratios of a trace over cache sizes (a miss ratio curve) to mrc.csv, in one pass. Fully\n" +
			"associative LRU is exact for all sizes at once, by stack distances; other policies, and LRU with\n" +
			"--ways, run in a cache per size. With --sample only lines whose hash is below that share are\n" +
			"looked at, in caches as much smaller (SHARDS): mrc.csv then has a column error, twice the\n" +
			"standard error of miss_ratio as groups of the sampled lines show it.\n\n" +
			"Where the trace has objects and their sizes (oracle_general, csv with columns object and size), the\n" +
			"caches hold objects, and mrc.csv has a column byte_miss_ratio: policies " + strings.Join(object.All.Names(), ", ") + ".",
		Example: "  causeway trace mrc run.trace.gz --policy lru,s3fifo --sizes 64KiB,1MiB\n" +
			"  causeway trace mrc run.trace.gz --sizes '{from: 64KiB, to: 64MiB, times: 2}' --sample 0.01",
		Args: command.Wants("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			t, err := f.open(args[0])
			if err != nil {
				return err
			}
			defer t.Close()
			if err := mrcSpec(c, &s, t, cacheLine, sizes); err != nil {
				return command.BadInput(err)
			}
			res, err := missratio.Run(t, s)
			if err != nil {
				return command.BadInput(err)
			}
			warnMRC(c.ErrOrStderr(), t, s, res)
			return writeMRC(c.OutOrStdout(), out, s, res)
		},
	}
	f.add(c)
	c.Flags().StringSliceVarP(&s.Policies, "policy", "p", []string{"lru"}, "replacement policies, separated by commas (causeway list policies)")
	c.Flags().StringVar(&sizes, "sizes", "", "sizes of the cache: 64KiB,1MiB or {from: 64KiB, to: 64MiB, times: 2}")
	c.Flags().StringVar(&cacheLine, "cache-line", "64B", "bytes of a line of the cache")
	c.Flags().BoolVar(&s.IgnoreSizes, "ignore-sizes", false, "objects are one line each, whatever their sizes")
	c.Flags().IntVar(&s.Ways, "ways", 0, "ways of a set; 0 is fully associative")
	c.Flags().Float64Var(&s.Share, "sample", 1, "share of the lines that is looked at")
	c.Flags().Uint64Var(&s.Seed, "seed", 0, "seed of the sample, and of policies that draw")
	c.Flags().StringVarP(&out, "out", "o", ".", "folder of mrc.csv")
	return c
}

// mrcSpec reads the flags for a trace, all that is wrong at once.
func mrcSpec(c *cobra.Command, s *missratio.Spec, t *trace.File, cacheLine, sizes string) error {
	objects := s.HasObjects(t.Header())
	var errs []error
	n, err := units.ParseBytes(cacheLine)
	if err != nil || n == 0 || n > 1<<20 {
		errs = append(errs, fmt.Errorf("--cache-line %q: want 1B to 1MiB, for example 64B", cacheLine))
		n = 1
	}
	s.Line = uint64(n)
	names, unit := policy.All.Names(), s.Line*uint64(max(1, s.Ways))
	if objects {
		names, unit = object.All.Names(), 1
		if c.Flags().Changed("cache-line") {
			errs = append(errs, fmt.Errorf("--cache-line has no effect on %s, whose objects have sizes of their own (or --ignore-sizes)", t.Name))
		}
	}
	for _, p := range s.Policies {
		v, err := configs.ParseValue("--policy", []byte(p))
		if err == nil && (!objects || !slices.Contains(policy.All.Names(), p)) { // one without sizes gets another message
			_, err = v.Choice("replacement policy", names)
		}
		errs = append(errs, err)
	}
	s.Sizes, err = mrcSizes(sizes, unit)
	if err = errors.Join(append(errs, err)...); err != nil {
		return err
	}
	if objects {
		return s.CheckObjects()
	}
	return s.Check()
}

// warnMRC prints warnings about a trace, and the accesses that were not counted.
func warnMRC(w io.Writer, t *trace.File, s missratio.Spec, res missratio.Result) {
	warn := func(format string, args ...any) { fmt.Fprintf(w, "warning: "+format+"\n", args...) }
	if k := t.Unended(); k > 0 {
		warn("%s:%d: nothing ends the last line: the trace may be cut off", t.Name, k)
	}
	if t.Header().Objects && !res.Objects && !s.IgnoreSizes {
		warn("%s: objects without sizes, each is one line", t.Name)
	}
	if res.Accesses == 0 {
		warn("%s: no accesses", t.Name)
	}
	if res.Empty > 0 {
		warn("%s: %d accesses to objects of 0 B do not count", t.Name, res.Empty)
	}
	if res.Unfit > 0 {
		warn("%s: %d sampled accesses are to objects that fit the largest cache, but not the smaller one of the sample: they count as misses (want a larger --sample)", t.Name, res.Unfit)
	}
}

// writeMRC writes mrc.csv and prints it. A column policy is there only where several
// are, error only with a sample, byte_miss_ratio only with objects.
func writeMRC(w io.Writer, folder string, s missratio.Spec, res missratio.Result) error {
	tb := &stats.Table{}
	columns := []string{"size", "misses", "miss_ratio"}
	if res.Objects {
		columns = append(columns, "byte_miss_ratio")
	}
	if s.Share < 1 {
		columns = append(columns, "error")
	}
	if len(s.Policies) > 1 {
		columns = append(columns, "policy")
	}
	for _, name := range columns {
		tb.Columns = append(tb.Columns, stats.Column{Name: name})
	}
	rows := [][]string{columns}
	for _, p := range res.Points {
		row := []string{strconv.FormatUint(p.Size, 10), strconv.FormatUint(p.Misses, 10), strconv.FormatFloat(p.Ratio, 'g', -1, 64)}
		if res.Objects {
			row = append(row, strconv.FormatFloat(p.ByteRatio, 'g', -1, 64))
		}
		if s.Share < 1 {
			row = append(row, strconv.FormatFloat(p.Error, 'g', 3, 64))
		}
		if len(s.Policies) > 1 {
			row = append(row, p.Policy)
		}
		rows = append(rows, row)
		cells := make([]any, len(row))
		for i, x := range row {
			cells[i] = x
		}
		tb.Append(cells...)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return command.BadInput(err)
	}
	path := filepath.Join(folder, "mrc.csv")
	f, err := os.Create(path + ".part")
	if err != nil {
		return command.BadInput(err)
	}
	if err := errors.Join(csv.NewWriter(f).WriteAll(rows), f.Close()); err != nil {
		os.Remove(path + ".part")
		return command.BadInput(atomicfile.Renamed(err, path+".part", path))
	}
	if err := os.Rename(path+".part", path); err != nil {
		return command.BadInput(err)
	}
	report.Table(w, tb)
	what := "lines"
	if res.Objects {
		what = "objects"
		fmt.Fprintf(w, "%d accesses to objects, of %d B together", res.Accesses, res.Bytes)
	} else {
		fmt.Fprintf(w, "%d accesses to lines of %s", res.Accesses, units.Bytes(s.Line))
	}
	if s.Share < 1 {
		fmt.Fprintf(w, ", %d of them in a sample of %g of the %s: misses and ratios are estimates", res.Sampled, s.Share, what)
	}
	fmt.Fprintln(w)
	return nil
}
