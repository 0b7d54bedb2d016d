package table

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

const nvdlaTitle = "Layer,Layer attribute,#input feature maps C,Input Height H,Input Width W,#output feature maps K,Filter Height R,Filter Width S,Zero Padding Z,Vertical Conv Srtide H,Horizontal Conv  Stride V,Pooling after Conv,Pooling Height D,Pooling Width E,Vertical pooling  stride F,Horizontal pooling stride G,MAC cycles\n"

func TestNVDLASheet(t *testing.T) {
	text := ",Frequency,1000\n" + nvdlaTitle +
		"a,conv,3,224,224,96,11,11,0,4,4,1,3,3,2,2,1\n" +
		"a,conv + elwise,64,57,57,64,3,3,1,2,2,0,,,,,1\n" +
		"merged,conv,64,57,57,64,3,3,1,2,2,0,,,,,\n" +
		"c,fc,256,6,6,4096,6,6,0,1,1,0,,,,,1\n" +
		"total,,,,,,,,,,,,,,,,5\n"
	g, name, err := format.Read(format.Bytes("s.csv", []byte(text)), format.Options{})
	require.NoError(t, err)
	require.Equal(t, "nvdla", name)
	require.NoError(t, g.Validate())
	var names []string
	for i := range g.Ops {
		names = append(names, g.Ops[i].Name)
	}
	require.Equal(t, []string{"a", "a.pool", "a_2", "a_2.add", "c"}, names)
	conv := func(i int) graph.Conv { return g.Ops[i].Kind.(graph.Conv) }
	require.Equal(t, []int{1, 96, 55, 55}, conv(0).OutShape(), "ceil((224 - 11) / 4) + 1")
	require.Equal(t, []int{1, 96, 27, 27}, g.Ops[1].Kind.(graph.Pool).OutShape())
	require.Equal(t, []int{1, 64, 29, 29}, conv(2).OutShape(), "ceil(57 / 2)")
	require.Equal(t, []int{1, 4096, 1, 1}, conv(4).OutShape())
	require.Contains(t, g.Notes[0], "1 rows without MAC cycles")
}

func TestNVDLASheetFaults(t *testing.T) {
	for text, want := range map[string]string{
		nvdlaTitle + "a,conf,3,224,224,96,11,11,0,4,4,0,,,,,1\n":  `s.csv:2:3: "conf" is no kind of layer (want one of: conv, conv + elwise, fc)`,
		nvdlaTitle + "a,conv,0,224,x,96,11,11,0,4,4,1,3,3,2,,1\n": `s.csv:2:8: inputfeaturemapsc is "0"`,
		nvdlaTitle + "a,conv,3,2,2,96,11,11,0,4,4,0,,,,,1\n":      `s.csv:2:1: `,
		nvdlaTitle + "a,conv,3,4,4,96,3,3,0,1,1,1,3,3,1,1,1\n":    "a pooling of 3 x 3 is larger than what it pools, 2 x 2",
		nvdlaTitle: "no layer follows the titles",
		strings.Replace(nvdlaTitle, "Zero Padding Z", "x", 1) + "a,conv,3,4,4,96,3\n": "zeropaddingz",
	} {
		_, _, err := format.Read(format.Bytes("s.csv", []byte(text)), format.Options{})
		require.ErrorContains(t, err, want)
	}
}

// No text makes the reader panic.
func FuzzNVDLASheet(f *testing.F) {
	f.Add([]byte(nvdlaTitle + "a,conv,3,224,224,96,11,11,0,4,4,1,3,3,2,2,1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := nvdlaReader{}.Read(format.Bytes("s.csv", b), format.Options{})
		if err == nil && g.Validate() != nil {
			t.Fatal(g.Validate())
		}
	})
}
