package draw

import (
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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
	lines := 1
	for _, l := range c.X.Labels {
		lines = max(lines, 1+strings.Count(l, "\n"))
	}
	if lines > 1 {
		return vg.Length(lines)*0.32*vg.Centimeter + 0.1*vg.Centimeter
	}
	if !c.Stack && len(c.Series) > 1 {
		return vg.Length(len(c.Series)+1) * 0.22 * vg.Centimeter
	}
	return barPitch
}

// labelShare is what labels of bars take of the width at most.
const labelShare = 0.45

// labelStyle is that of the labels of bars.
func labelStyle() draw.TextStyle {
	s := textStyle()
	s.Font.Size = vg.Points(8)
	return s
}

// broken has long labels of bars in several lines, so that bars have room beside them.
func broken(f chart.Figure, width vg.Length) chart.Figure {
	if f.Kind != chart.Bars {
		return f
	}
	style := labelStyle()
	f.X.Labels = slices.Clone(f.X.Labels)
	for i, l := range f.X.Labels {
		line, out := "", ""
		for _, word := range strings.Fields(l) {
			if line != "" && style.Width(line+" "+word) > labelShare*width {
				out += line + "\n"
				line = ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		if out != "" {
			f.X.Labels[i] = out + line
		}
	}
	return f
}

// fitting is the size of a title of an axis: 9 points, or less where the axis is shorter.
func fitting(title string, room vg.Length) vg.Length {
	s := textStyle()
	s.Font.Size = vg.Points(9)
	if w := s.Width(title); w > room {
		return s.Font.Size * room / w * 0.98
	}
	return s.Font.Size
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
