package system_test

import (
	"errors"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
)

func TestBuilder(t *testing.T) {
	type spec struct {
		Clock units.Frequency `yaml:"clock"`
		Rows  int             `yaml:"rows"`
	}
	var got spec
	var seed uint64
	b := system.NewBuilder(spec{Rows: 8}, func(env *system.Env, name string, s spec) (string, error) {
		got, seed = s, env.Seed
		if s.Rows < 0 {
			return "", errors.New("rows is -1")
		}
		return name, nil
	})
	require.PanicsWithValue(t, "system: Core has no engine", func() { b.Build("Core") })
	full := b.WithEngine(engine.New()).WithFreq(2 * sim.GHz).WithSeed(7)
	require.Equal(t, "Core", full.Build("Core"))
	require.Equal(t, spec{units.Hertz(2e9), 8}, got)
	require.EqualValues(t, 7, seed)
	full.With(func(s *spec) { s.Rows = 3 }).Build("Core")
	require.Equal(t, 3, got.Rows)
	full.Build("Core")
	require.Equal(t, 8, got.Rows, "a builder is a value")
	require.PanicsWithValue(t, "system: Core: rows is -1", func() { full.With(func(s *spec) { s.Rows = -1 }).Build("Core") })
	require.PanicsWithValue(t, "system: struct {} has no clock", func() {
		system.NewBuilder(struct{}{}, func(*system.Env, string, struct{}) (int, error) { return 0, nil }).WithFreq(1)
	})
}
