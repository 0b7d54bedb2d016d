package flow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/flow"
)

// line is two routers with a terminal each, channels of 1 B a cycle and 10 cycles, and routers without latency.
const line = "topology: {name: fully_connected, routers: 2}, clock: 1GHz, width: 1B, router: {latency: 0ns}, " +
	"terminal: {bandwidth: 1GB/s, latency: 10ns}, local: {bandwidth: 1GB/s, latency: 10ns}"

func built(keys string) (*flow.Comp, error) {
	d, err := configs.Parse("f.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, fidelity: flow, "+keys+"}\n"), configs.Options{})
	if err != nil {
		return nil, err
	}
	s, err := system.Build(d, &system.Env{Engine: engine.New()})
	if err != nil {
		return nil, err
	}
	return s.Node("Net").(*flow.Comp), nil
}

// arrivals sends a long message at cycle 0 and a short one from the same terminal at cycle 101.
func arrivals(t *testing.T, c *flow.Comp) (long, short uint64) {
	at, n := map[int32]uint64{}, c.Network()
	note := func(a channel.Arrival) { at[a.ID] = a.Cycle }
	n.Send(channel.Message{ID: 1, Src: 0, Dst: 1, Bytes: 1000}, 0)
	n.Advance(100, note)
	n.Send(channel.Message{ID: 2, Src: 0, Dst: 1, Bytes: 16}, 101)
	for cycle := uint64(101); len(at) < 2; cycle++ {
		require.Less(t, cycle, uint64(3000))
		n.Advance(cycle, note)
	}
	require.EqualValues(t, 2, n.Packets(), "a message is one packet")
	return at[1], at[2]
}

// A message takes its bytes once, since channels pass on what comes in, and three latencies. A short one behind
// it waits for all of it on the first channel; with express it keeps the three channels busy for its own time only.
func TestMessagesGoWholeAndInOrder(t *testing.T) {
	for keys, short := range map[string]uint64{
		"":                1000 + 16 + 30,
		", express: 15B":  1000 + 16 + 30,
		", express: 16B":  101 + 16 + 30,
		", express: 1MiB": 101 + 16 + 30, // neither of two waits for the other
	} {
		c, err := built(line + keys)
		require.NoError(t, err, keys)
		l, s := arrivals(t, c)
		require.EqualValues(t, 1000+30, l, keys)
		require.Equal(t, short, s, keys)
		require.Empty(t, c.Stats().Verify())
	}
}

// Errors are at their keys.
func TestBadKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"express: 1048577B":   "nodes.Net.express: is 1048577B (want at most 1MiB)",
		"switching: wormhole": "nodes.Net.switching: ",
		"topology: {name: mesh, dims: [4, 4]}, routing: {name: table, file: none.txt}": "none.txt",
	} {
		_, err := built(keys)
		require.ErrorContains(t, err, want, keys)
	}
}

// A builder makes the network that the default Spec says, a mesh of 8 x 8.
func TestBuilder(t *testing.T) {
	c := flow.MakeBuilder().WithEngine(engine.New()).Build("Net")
	require.Equal(t, 64, c.Topology().Terminals())
}
