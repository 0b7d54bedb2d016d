package design

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
)

// The memories of Timeloop's kept cases are points of CACTI and of synthesised register
// files at 45 nm that no figure of ours was taken from. The test prints how far off ours
// are.
func TestHeldOutMemories(t *testing.T) {
	type point struct {
		text          string
		read, write   float64 // ours over theirs
		area          float64
		bytes         float64
		readPJ, areas float64
	}
	var points []point
	for _, in := range kept(t) {
		d := in.Description
		d.Arch.Levels = slices.Clone(d.Arch.Levels)
		theirs := slices.Clone(d.Arch.Levels)
		for l := range d.Arch.Levels { // backing stores without a limit are not of concern here
			if d.Arch.Levels[l].Words == 0 {
				d.Arch.Levels[l].Words = 1
			}
		}
		require.NoError(t, Price(&d, Prices{Process: "45nm"}, configs.Value{}))
		for l := range theirs {
			x, y := &theirs[l], &d.Arch.Levels[l]
			if x.Words == 0 || x.Energy.Read == 0 || x.Energy.Write == 0 {
				continue
			}
			bytes := x.Words * float64(x.WordBits) * float64(x.Cluster) / 8
			p := point{fmt.Sprintf("%8.0f B, %3.0f bits", bytes, x.Block*float64(x.WordBits)*float64(x.Cluster)),
				y.Energy.Read / x.Energy.Read, y.Energy.Write / x.Energy.Write, y.Area / x.Area, bytes, x.Energy.Read, x.Area}
			if !slices.Contains(points, p) {
				points = append(points, p)
			}
		}
	}
	slices.SortFunc(points, func(a, b point) int { return int(a.bytes - b.bytes) })
	sum, large, n := 0.0, 0.0, 0.0
	for _, p := range points {
		t.Logf("%s: CACTI %8.3f pJ to read, ours over it %.2f, write %.2f, cells over area %.2f", p.text, p.readPJ, p.read, p.write, p.area)
		sum += math.Abs(math.Log(p.read))
		if p.bytes >= 2048 {
			large, n = large+math.Abs(math.Log(p.read)), n+1
			require.InDelta(t, 1.6, p.read, 0.6, p.text)
			require.InDelta(t, 1.2, p.area, 0.5, p.text)
		}
	}
	require.Less(t, math.Exp(large/n), 1.4, "SRAM of 2 KiB and more")
	require.Less(t, math.Exp(sum/float64(len(points))), 2.2, "register files vary by five among themselves")
	t.Logf("reads are off by a factor of %.2f (geometric mean of %d), of 2 KiB and more by %.2f", math.Exp(sum/float64(len(points))), len(points), math.Exp(large/n))
}
