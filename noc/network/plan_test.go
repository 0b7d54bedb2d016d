package network

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/noc/topology"
)

// read decodes the keys of a network and plans it.
func read(t *testing.T, text string) (Spec, topology.Topology, error) {
	d, err := configs.Parse("f.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, "+text+"}\n"), configs.Options{})
	require.NoError(t, err)
	v := d.Root.Get("nodes").Items()[0]
	s := DefaultSpec()
	if err := v.Decode(&s, configs.Beside("name", "kind")); err != nil {
		return s, nil, err
	}
	if err := s.Check(v); err != nil {
		return s, nil, err
	}
	if err := s.Resolve(v, nil); err != nil {
		return s, nil, err
	}
	top, _, err := s.Plan()
	return s, top, err
}

// Broken channels are taken out in both directions; the routing is then one that
// finds ways around.
func TestFailedChannels(t *testing.T) {
	const ring = "topology: {name: ring, size: 4}, "
	s, top, err := read(t, ring+"failed: [{router: 0, to: 1}]")
	require.NoError(t, err)
	require.Equal(t, "up_down", s.Routing.Name)
	require.Empty(t, topology.Between(top, 0, 1))
	require.Empty(t, topology.Between(top, 1, 0))
	require.Len(t, topology.Between(top, 1, 2), 1)
	for failed, want := range map[string]string{
		"{router: 0}":                            "a failed channel needs either port, or to",
		"{router: 9, to: 1}":                     "router is 9 (want 0 to 3)",
		"{router: 0, to: 9}":                     "to is 9 (want 0 to 3)",
		"{router: 0, to: 2}":                     "no channel joins routers 0 and 2",
		"{router: 0, port: 9}":                   "port is 9 (want 0 to 2)",
		"{router: 0, port: 0}":                   "port 0 of router 0 is no channel to another router, but terminal",
		"{router: 0, to: 1}, {router: 1, to: 0}": "failed already, by failed[0]",
		"{router: 0, to: 1}, {router: 0, to: 3}": "no channel is left to router",
	} {
		_, _, err := read(t, ring+"failed: ["+failed+"]")
		require.ErrorContains(t, err, want)
		require.NotEqual(t, configs.Pos{}, configs.PosOf(err), "it has a place: %s", err)
	}
	_, _, err = read(t, ring+"routing: dor, failed: [{router: 0, to: 1}]")
	require.ErrorContains(t, err, "routing algorithm dor does not find ways around failed channels (want one of: up_down, shortest, table)")
}

// Values that make no sense are refused at their key.
func TestBadValues(t *testing.T) {
	for text, want := range map[string]string{
		"width: 0B":                        "nodes.Net.width: is 0B (want 1B to 1MiB)",
		"header: 2MiB":                     "nodes.Net.header: is 2MiB (want at most 1MiB)",
		"local: {latency: 1s}":             "nodes.Net.local.latency: is 1000000000 cycles (want at most 65536)",
		"topology: {name: mesh, dims: []}": "nodes.Net.topology",
		"topology: mush":                   "did you mean \"mesh\"",
		"routing: dorr":                    "did you mean \"dor\"",
	} {
		_, _, err := read(t, text)
		require.ErrorContains(t, err, want, text)
	}
}

// A message has its header and at least a flit; a channel that is full carries a flit
// per cycle.
func TestFlitsAndBandwidth(t *testing.T) {
	s, top, err := read(t, "width: 32B, header: 8B, clock: 2GHz")
	require.NoError(t, err)
	require.Equal(t, 64, top.Terminals())
	require.Equal(t, []int{1, 1, 2}, []int{s.Flits(0), s.Flits(24), s.Flits(25)})
	require.EqualValues(t, 32*8*2_000_000_000, s.Full())
	for _, c := range []topology.Class{topology.Terminal, topology.Local} {
		require.True(t, has(top, c))
	}
	require.False(t, has(top, topology.Global))
}
