package fabric_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
)

// The other router reports a closed chain, too.
func TestUnsafeMapBlocksWholePackets(t *testing.T) {
	s := scene{"dragonfly", df72, "ugal_l", routing.UGALSpec{Threshold: -1e6, VCMap: "booksim"}, "uniform"}
	n, pat := s.build(t, func(c *setting.Config) {
		c.Flow, c.Queueing, c.OutputDepth, c.Depth = setting.CutThrough, setting.InputOutput, 2, 2
	})
	rules := measure.BookSimRules()
	rules.Sample, rules.Limit = 4000, 0
	_, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: 1, Flits: 2, Seed: 1}, rules)
	var stuck *fabric.Stuck
	require.ErrorAs(t, err, &stuck)
	require.Greater(t, len(stuck.Wait), 2)
	require.Equal(t, stuck.Wait[0], stuck.Wait[len(stuck.Wait)-1])
}
