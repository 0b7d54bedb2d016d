package draw

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// Names of dots are beside them: inside the area, apart from all dots and from each other, and
// some are left out where dots are dense.
func TestPlaceOfNames(t *testing.T) {
	area := vg.Rectangle{Max: vg.Point{X: 200, Y: 100}}
	apart := func(a, b vg.Rectangle) bool {
		return a.Max.X <= b.Min.X || b.Max.X <= a.Min.X || a.Max.Y <= b.Min.Y || b.Max.Y <= a.Min.Y
	}
	var taken []vg.Rectangle
	left := 0
	for i := range 40 {
		dot := vg.Point{X: vg.Length(37*i%200) + 1, Y: vg.Length(53*i%100) + 1}
		box, ok := place(vg.Point{X: 40, Y: 8}, dot, area, taken)
		if !ok {
			left++
			continue
		}
		require.True(t, box.Min.X >= 0 && box.Min.Y >= 0 && box.Max.X <= 200 && box.Max.Y <= 100)
		for _, o := range taken {
			require.True(t, apart(box, o))
		}
		taken = append(taken, box)
	}
	require.True(t, left > 0 && left < 30, "%d names have no place", left)
}

// Labels of bars are broken into lines so that at least half of a column is left for the bars.
func TestLongLabelsLeaveRoomForBars(t *testing.T) {
	f := chart.Figure{Name: "causes", Chart: chart.Chart{Kind: chart.Bars, X: chart.Axis{Labels: []string{"Core", "> > with rows and columns of the array that the layers do not fill"}}, Series: []chart.Series{{Name: "share", Y: chart.Numbers{100, 20}}}}}
	width := 8.5 * vg.Centimeter
	b := broken(f, width)
	require.Equal(t, "Core", b.X.Labels[0])
	require.NotEqual(t, f.X.Labels[1], b.X.Labels[1])
	require.Equal(t, f.X.Labels[1], strings.ReplaceAll(b.X.Labels[1], "\n", " "), "no word is lost")
	for _, line := range strings.Split(b.X.Labels[1], "\n") {
		require.LessOrEqual(t, labelStyle().Width(line), labelShare*width)
	}
	require.Greater(t, pitchOf(b.Chart), pitchOf(f.Chart))
	require.Equal(t, f.X.Labels, broken(f, 40*vg.Centimeter).X.Labels)
}

// A title of an axis is no longer than the axis.
func TestTitlesFit(t *testing.T) {
	size := vg.Points(9)
	s := textStyle()
	s.Font.Size = size
	long := strings.Repeat("Traffic.packet_latency_mean", 2)
	s.Font.Size = fitting(long, 5*vg.Centimeter)
	require.True(t, s.Font.Size < size && s.Width(long) <= 5*vg.Centimeter)
	require.Equal(t, size, fitting("time", 5*vg.Centimeter))
}
