package system_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/noc/flit"
	_ "github.com/causeway-sim/causeway/workloads/player/traffic"
)

func buildText(text string) (*system.System, error) {
	s, _, err := buildOn(text)
	return s, err
}

func buildOn(text string) (*system.System, *engine.Engine, error) {
	e := engine.New()
	d, err := configs.Parse("t.yaml", []byte("schema: causeway/1\n"+text), configs.Options{})
	if err != nil {
		return nil, nil, err
	}
	s, err := system.Build(d, &system.Env{Engine: e})
	return s, e, err
}

// An elastic array gets a port for each free one of the other side, whichever
// side it stands on and whether or not it is named.
func TestElasticPorts(t *testing.T) {
	const nodes = `nodes:
  - {name: Net, kind: network, fidelity: flit, topology: {name: mesh, dims: [3, 2]}}
  - {name: Traffic, kind: traffic}
links:
`
	for _, link := range []string{"Traffic -> Net", "Net -> Traffic", "Traffic.net -> Net", "Traffic -> Net.terminal", "Net.terminal -> Traffic.net"} {
		s, err := buildText(nodes + "  - " + link + "\n")
		require.NoError(t, err, link)
		require.Len(t, s.Links(), 6, link)
		for i, l := range s.Links() {
			require.Equal(t, strings.ReplaceAll("Net.terminal[#] - Traffic.net[#]", "#", string(rune('0'+i))), l)
		}
	}
	s, err := buildText(nodes + "  - Traffic -> Net.terminal[0..3]\n")
	require.NoError(t, err)
	require.Len(t, s.Links(), 4)
	_, err = buildText(strings.Replace(nodes, "links:\n", "", 1))
	require.ErrorContains(t, err, "port Traffic.net is linked to nothing")
	_, err = buildText(strings.Replace(nodes, "links:\n", "  - {name: Mem, kind: memory, fidelity: ideal}\nlinks:\n", 1) + "  - Traffic -> Mem\n")
	require.ErrorContains(t, err, "no port of Traffic fits Mem")
}

// Requests go over two networks in a row, to the terminal behind which the memory
// lies.
func TestNetworksInARow(t *testing.T) {
	s, e, err := buildOn(`nodes:
  - {name: Probe, kind: prober, address: 64B}
  - {name: A, kind: network, fidelity: flit, topology: {name: mesh, dims: [2, 2]}}
  - {name: B, kind: network, fidelity: flit, topology: {name: crossbar, terminals: 3}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 20ns}
links:
  - Probe -> A
  - A.terminal[3] -> B.terminal[1]
  - B.terminal[2] -> Mem
`)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	took := s.Node("Probe").Stats().Metrics()[0]
	require.Equal(t, "took", took.Name)
	// The memory; links, a mesh of two hops and a crossbar, there and back; four flits
	// of data on the way back.
	require.EqualValues(t, 20+2*(3+17+7)+2*3, took.Value)
}
