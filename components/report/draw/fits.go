package draw

import (
	"gonum.org/v1/plot/vg"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// maxHeight is that of a column of a page.
const maxHeight = 22 * vg.Centimeter

const (
	barPitch  = 0.42 * vg.Centimeter // from bar to bar
	lanePitch = 0.38 * vg.Centimeter
	beside    = 4 * vg.Centimeter // what axes and a legend of some lines take of the height
	maxLanes  = 47                // of lanePitch, in what is left of maxHeight
)

// pitchOf is what a label of bars takes of the height.
func pitchOf(c chart.Chart) vg.Length {
	if !c.Stack && len(c.Series) > 1 {
		return vg.Length(len(c.Series)+1) * 0.22 * vg.Centimeter
	}
	return barPitch
}

// fits leaves out what does not fit into a column: the smaller bars, which are summed up where
// they stack, and the later lanes.
func fits(f chart.Figure) chart.Figure {
	switch f.Kind {
	case chart.Bars:
		return f.Top(max(1, int((maxHeight-beside)/pitchOf(f.Chart))-1))
	case chart.Lanes:
		return f.Top(maxLanes)
	}
	return f
}
