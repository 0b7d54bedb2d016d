package validation

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/configs"
)

// onHardware runs a configuration of the study hardware.
func onHardware(ctx context.Context, config string, set []string) (*result.Result, error) {
	x, err := experiment.LoadContext(ctx, config, experiment.Options{Set: set, SetDir: filepath.Dir(config)})
	if err != nil {
		return nil, err
	}
	r, _, err := x.Run(ctx, nil)
	return r, err
}

// A product takes less time than by the roofline where tiles matter, and a fit finds
// its way back from values that are wrong, the same way each time.
func TestFitFindsItsWay(t *testing.T) {
	s, err := LoadUnchecked("../../configs/studies/hardware")
	require.NoError(t, err)
	run := s.Runs["a100_gemm"]
	run.Set = append(run.Set, "Chip.memory_efficiency.gemm=0.5", "Chip.launch.gemm=9us")
	s.Runs["a100_gemm"] = run
	f := Fit{Free: []string{"Chip.memory_efficiency.gemm", "Chip.launch.gemm"}, On: []string{"a100_gemm"}, Evaluations: 30}
	got, err := f.Run(context.Background(), s, onHardware)
	require.NoError(t, err)
	require.Greater(t, got.Before, 30.0)
	require.Less(t, got.After, 7.0)
	require.Equal(t, "Chip.launch.gemm", got.Values[1].Path)
	require.Regexp(t, `^[234]\.\d*us$`, got.Values[1].After)
	require.Contains(t, string(got.YAML("hardware", f.On)), "\n  - {name: Chip, memory_efficiency: {gemm: 0.8")
	f.Evaluations = 5
	var steps []FitStep
	f.Progress = func(x FitStep) { steps = append(steps, x) }
	one, err := f.Run(context.Background(), s, onHardware)
	require.NoError(t, err)
	require.Len(t, steps, one.Evaluations, "each evaluation is told")
	require.Equal(t, one.LossBefore, steps[0].Loss)
	require.Equal(t, one.LossAfter, steps[len(steps)-1].Best)
	require.Equal(t, "Chip.memory_efficiency.gemm=0.5", steps[0].Sets[0])
	again, err := f.Run(context.Background(), s, onHardware)
	require.NoError(t, err)
	require.Equal(t, one.Values, again.Values)

	for _, c := range []struct {
		free, on, want string
	}{
		{"Chip.launch.gemm", "a100_gem", `--on: no measurement "a100_gem"`},
		{"Chip.launch.gemm", "h100_gemm", `measurement "h100_gemm" does not say which rows are fitted on`},
		{"Chip.launch.pool", "a100_gemm", "--free: Chip.launch.pool has no value in run a100_gemm: give it one to start from"},
		{"Chip.caches", "a100_gemm", "has no value in run"},
		{"Chip.preset", "a100_gemm", "has no value in run"},
	} {
		_, err := Fit{Free: []string{c.free}, On: []string{c.on}, Evaluations: 1}.Run(context.Background(), s, onHardware)
		require.ErrorContains(t, err, c.want)
	}
}

// Every bound of the study whose tables are here holds, but for those that it says it misses.
func TestHardwareStudyHolds(t *testing.T) {
	s, err := Load("../../configs/studies/hardware")
	require.NoError(t, err)
	rep, err := Check(context.Background(), s, onHardware)
	require.NoError(t, err)
	for _, r := range rep.Rows {
		if r.NoInput && configs.InputsDir("") == "" {
			continue
		}
		require.False(t, r.Failed(), "%s: %g (want at most %g) %s", r.Metric, r.Simulated, r.Published, r.Problem)
	}
}
