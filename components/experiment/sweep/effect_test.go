package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// deafRunner counts x, hears y only where x is 2, fails where f is yes, and never
// hears d.
type deafRunner struct{ fail bool }

type deafJob struct {
	set  string
	x, y int
	fail bool
}

func (r deafRunner) Prepare(p grid.Point) (Job, error) {
	j := deafJob{set: strings.Join(p.Set, " ")}
	var d string
	_, err := fmt.Sscanf(j.set, "x=%d y=%d d=%s", &j.x, &j.y, &d)
	j.fail = r.fail && d == "b"
	return j, err
}

func (j deafJob) Identity() string { return result.Identity([]byte(j.set), nil) }

func (j deafJob) Run(context.Context) (*result.Result, error) {
	if j.fail {
		return nil, fmt.Errorf("no")
	}
	v := j.x
	if j.x == 2 {
		v += j.y
	}
	return &result.Result{Status: result.Complete, Metrics: []stats.Metric{{Phase: "all", Name: "v", Value: float64(v), Unit: stats.One}}}, nil
}

// At the end of a sweep axes over which no metric changes are named: not those
// that matter at some points only, nor those that decide what can be simulated.
func TestDeadAxis(t *testing.T) {
	axes := grid.Grid{
		{Paths: []string{"x"}, Values: [][]string{{"1"}, {"2"}}},
		{Paths: []string{"y"}, Values: [][]string{{"1"}, {"2"}}},
		{Paths: []string{"d", "e"}, Values: [][]string{{"a", "1GB/s"}, {"b", "512MB/s"}}},
	}
	s := &Sweep{Grid: axes, Runner: deafRunner{}, Dir: t.TempDir()}
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"axis d, e changes nothing"}, out.Dead)
	var f sweepFile
	b, err := os.ReadFile(filepath.Join(s.Dir, "sweep.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &f))
	require.Equal(t, out.Dead, f.Warnings)
	require.Equal(t, []bool{true, true, false}, []bool{*f.Axes[0].Changes, *f.Axes[1].Changes, *f.Axes[2].Changes})
	require.Equal(t, 8, f.Complete)
	require.Equal(t, []string{s.Build.Key()}, f.Builds)
	require.Equal(t, sweepColumn{"set:e [B/s]", "B/s"}, f.Columns[7])
	require.Equal(t, []any{"a", "1GB/s", 1e9}, out.Table.Rows[0][5:8])
	require.Equal(t, []any{"b", "512MB/s", 512e6}, out.Table.Rows[1][5:8])

	s = &Sweep{Grid: axes, Runner: deafRunner{fail: true}, Dir: t.TempDir()}
	out, err = s.Run(context.Background())
	require.NoError(t, err)
	require.Empty(t, out.Dead, "an axis that decides what can be simulated")
	axes[0].Values = axes[0].Values[:1]
	s = &Sweep{Grid: axes, Runner: deafRunner{}, Dir: t.TempDir()}
	out, err = s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"axis y changes nothing", "axis d, e changes nothing"}, out.Dead, "an axis of one value cannot be judged")
}

// An axis that is to change more than energy, and does not, is named too.
func TestEnergyOnly(t *testing.T) {
	point := func(cycles, energy float64) finding {
		return finding{string(result.Complete), map[string]stats.Metric{"c": {Name: "c", Value: cycles, Unit: stats.Cycle}, "M.e": {Name: "e", Value: energy, Unit: stats.PJ}}}
	}
	require.Equal(t, nothing, difference(point(1, 1), point(1, 1)))
	require.Equal(t, energyOnly, difference(point(1, 1), point(1, 2)))
	require.Equal(t, changes, difference(point(1, 1), point(2, 2)))
	require.Equal(t, changes, difference(point(1, 1), finding{status: string(result.Failed)}))
	more := point(1, 1)
	more.values["n"] = stats.Metric{Name: "n", Unit: stats.One}
	require.Equal(t, changes, difference(point(1, 1), more))
	require.Equal(t, changes, difference(more, point(1, 1)))
	require.Equal(t, "axis M.preset changes nothing but energy", warning(grid.Axis{Paths: []string{"M.preset"}}, energyOnly))
	require.Empty(t, warning(grid.Axis{Paths: []string{"Core.energy.node"}}, energyOnly))
	require.Empty(t, warning(grid.Axis{Paths: []string{"M.preset"}}, changes))
}

// A setting has a second column, a number, where all its values have units of one kind.
func TestQuantityColumns(t *testing.T) {
	for rule, want := range map[string]string{
		"{a: [1GB/s, 8Gbit/s]}":              "set:a set:a [B/s]",
		"{a: [10cycle, 20cycle]}":            "set:a set:a [cycle]",
		"{a: [10cycle, 20ns]}":               "set:a",
		"{a: [16, 32]}":                      "set:a",
		"{\"a, b\": [[1KiB, x], [2KiB, y]]}": "set:a set:a [B] set:b",
	} {
		v, err := configs.ParseValue("sweep.yaml", []byte(rule))
		require.NoError(t, err)
		g, err := grid.Decode(v)
		require.NoError(t, err)
		var names []string
		for _, c := range g.SettingColumns() {
			names = append(names, c.Name)
		}
		require.Equal(t, want, strings.Join(names, " "), rule)
	}
	path, unit, ok := grid.SettingOf("set:Mem.bandwidth [B/s]")
	require.Equal(t, []any{"Mem.bandwidth", "B/s", true}, []any{path, unit, ok})
	_, _, ok = grid.SettingOf("Mem.bandwidth")
	require.False(t, ok)
}
