package network_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Channels that fail during the run are left in the topology. Either end names a channel.
func TestOutages(t *testing.T) {
	s := network.DefaultSpec()
	at, until, to, port := units.InCycles(5), units.InCycles(9), 1, 9
	s.Failed = []network.Failure{{Router: 0, To: &to, At: &at, Until: &until}}
	top, _, err := s.Plan()
	require.NoError(t, err)
	require.Equal(t, 64, top.Terminals())
	out, err := s.Outages(top)
	require.NoError(t, err)
	require.Equal(t, []topology.Outage{{Router: 0, Port: out[0].Port, At: 5, Until: 9}}, out)
	r, _, ok := top.Peer(0, out[0].Port)
	require.True(t, ok)
	require.Equal(t, 1, r)

	zero, soon, later := 0, units.InTime(500*units.Picosecond), units.InTime(700*units.Picosecond)
	for want, f := range map[string][]network.Failure{
		"until is 5cycle (want after 5cycle)":                                       {{Router: 0, To: &to, At: &at, Until: &at}},
		"until is 700ps, in cycle 1 as at is: times are rounded up to whole cycles": {{Router: 0, To: &to, At: &soon, Until: &later}},
		"until has no effect without at":                                            {{Router: 0, To: &to, Until: &at}},
		"needs either port, or to":                                                  {{Router: 0, At: &at}},
		"port is 9 (want 0 to":                                                      {{Router: 0, Port: &port, At: &at}},
		"is down at that time already":                                              {{Router: 0, To: &to, At: &at}, {Router: 1, To: &zero, At: &until}},
		"has failed before the run, by failed[1]":                                   {{Router: 0, Port: &out[0].Port, At: &at}, {Router: 1, To: &zero}},
		"has failed before the run, by failed[0]":                                   {{Router: 0, To: &to}, {Router: 1, To: &zero, At: &at}},
	} {
		s.Failed = f
		top, _, err := s.Plan()
		if err == nil {
			_, err = s.Outages(top)
		}
		require.ErrorContains(t, err, want)
	}
}
