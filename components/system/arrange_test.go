package system_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// placed are the terminals that eight nodes get in a dragonfly of nine groups of eight.
func placed(t *testing.T, link string) ([]int, error) {
	t.Helper()
	s, err := buildText(`nodes:
  - {name: Probe, kind: prober, count: 8, address: 64B}
  - {name: Net, kind: network, fidelity: flit, topology: {name: dragonfly, p: 2, a: 4, h: 2}}
  - {name: Mem, kind: memory, fidelity: ideal}
links:
  - Net.terminal[71] -> Mem
  - ` + link + "\n")
	if err != nil {
		return nil, err
	}
	at := make([]int, 8)
	for _, l := range s.Links() {
		var terminal, node int
		if _, err := fmt.Sscanf(l, "Net.terminal[%d] - Probe[%d].mem", &terminal, &node); err == nil {
			at[node] = terminal
		}
	}
	return at, nil
}

// A link without indices takes free terminals in the order that it asks for.
func TestPlacementOfALink(t *testing.T) {
	linear, err := placed(t, "Probe -> Net")
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7}, linear)
	same, err := placed(t, "{link: Probe -> Net, placement: linear}")
	require.NoError(t, err)
	require.Equal(t, linear, same)
	spread, err := placed(t, "{link: Probe -> Net, placement: spread}")
	require.NoError(t, err)
	require.Equal(t, []int{0, 8, 16, 24, 32, 40, 48, 56}, spread)
	group, err := placed(t, "{link: Probe -> Net, placement: group}")
	require.NoError(t, err)
	for i, at := range group {
		require.Equal(t, group[0]/8*8+i, at)
	}
	random, err := placed(t, "{link: Probe -> Net, placement: random}")
	require.NoError(t, err)
	require.NotEqual(t, linear, random)
	for link, want := range map[string]string{
		"{link: Probe -> Net, placement: near}":                    `"near" is not`,
		`{link: "Probe -> Net.terminal[0..7]", placement: spread}`: "placement: has no effect: the link names its ports",
		"{link: Probe -> Mem, placement: spread}":                  "placement: has no effect",
	} {
		_, err := placed(t, link)
		require.ErrorContains(t, err, want, link)
	}
}
