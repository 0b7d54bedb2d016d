package eyeriss

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// alexNet are the layers of the chip's table, four images, with the mapping of JSSC 2017.
var alexNet = []struct {
	name    string
	layer   Layer
	mapping Mapping
	ms      float64 // of the chip
	active  int
}{
	{"conv1", Layer{4, 3, 227, 227, 96, 11, 11, 4, 55, 55, 1}, Mapping{96, 1, 7, 16, 1, 1, 2}, 16.5, 154},
	{"conv2", Layer{4, 48, 31, 31, 128, 5, 5, 1, 27, 27, 2}, Mapping{64, 1, 27, 16, 2, 1, 1}, 39.2, 135},
	{"conv4", Layer{4, 192, 15, 15, 192, 3, 3, 1, 13, 13, 2}, Mapping{64, 4, 13, 16, 3, 2, 2}, 16.0, 156},
}

// Reference: shared reference hardware/eyeriss_chip_alexnet.csv (ISSCC 2016, figure 14.5.6).
func TestChip(t *testing.T) {
	m := Chip()
	for _, x := range alexNet {
		c, err := m.Cost(&x.layer, &x.mapping)
		require.NoError(t, err, x.name)
		require.Equal(t, x.active, c.Active, x.name)
		require.InEpsilon(t, x.ms, float64(c.Cycles)/200e3, 0.1, x.name)
	}
}

// By hand: conv1 has 4 x 3 x 3 x 8 passes. Each loads 2 x 16 filters of 121 words, 4 per
// cycle, and 35 windows of 11 words; 16 filters of 55 x 11 follow in each element.
func TestConv1ByHand(t *testing.T) {
	m := Chip()
	c, err := m.Cost(&alexNet[0].layer, &alexNet[0].mapping)
	require.NoError(t, err)
	require.Equal(t, int64(288), c.Passes)
	require.Equal(t, int64(288*(968+385+9680)), c.Cycles)
	require.Equal(t, int64(421660800), c.MACs)
	require.Less(t, c.Energy(0.5), c.Energy(0))
}

func TestMappingHasToFit(t *testing.T) {
	m, l := Chip(), alexNet[0].layer
	for want, x := range map[string]Mapping{
		"needs 3 sets in the array (want at most 2)":                                            {96, 1, 7, 16, 1, 1, 3},
		"needs 264 words of filters in an element (want at most 224)":                           {96, 1, 7, 24, 1, 1, 1},
		"needs 22 words of input in an element (want at most 12)":                               {96, 1, 7, 8, 2, 1, 1},
		"needs 32 filters in the global buffer (want at most 16)":                               {16, 1, 7, 16, 1, 1, 2},
		"needs 89810 words of input and partial sums in the global buffer (want at most 51200)": {96, 2, 7, 16, 1, 1, 2},
		"(want at least 1 each)":                                                                {},
	} {
		_, err := m.Cost(&l, &x)
		require.ErrorContains(t, err, want)
	}
}

// What Map finds fits and is no slower than the published mapping.
func TestMap(t *testing.T) {
	m := Chip()
	for _, x := range alexNet {
		got, err := m.Map(&x.layer)
		require.NoError(t, err)
		c, err := m.Cost(&x.layer, &got)
		require.NoError(t, err)
		published, _ := m.Cost(&x.layer, &x.mapping)
		require.LessOrEqual(t, c.Cycles, published.Cycles, x.name)
	}
	_, err := m.Map(&Layer{1, 1, 20, 20, 1, 13, 13, 1, 8, 8, 1})
	require.ErrorContains(t, err, "no mapping")
}
