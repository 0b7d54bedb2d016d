package spatial_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/spatial"
	"github.com/causeway-sim/causeway/components/engine"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// A program that is no configuration builds the node and runs it.
func TestBuilder(t *testing.T) {
	e := engine.New()
	s := spatial.DefaultSpec()
	s.InputFile = "../../configs/examples/timeloop/input.yaml"
	c := spatial.MakeBuilder().WithEngine(e).WithSpec(s).Build("Core")
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	require.Equal(t, sim.VTimeInSec(131072e-9), e.CurrentTime())
	require.Len(t, c.Levels().Rows, 9)
	s.InputFile = "nowhere.yaml"
	require.Panics(t, func() { spatial.MakeBuilder().WithEngine(e).WithSpec(s).Build("Core") })
}
