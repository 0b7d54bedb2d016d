package draw

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A legend stands above the data, in as many lines as its names need.
type legend struct {
	rows   [][]named
	style  draw.TextStyle
	height vg.Length
}

const (
	sample = 14 // points, of the colour in front of a name
	gap    = 9  // points, between names
	pitch  = 13 // points, from line to line
)

// newLegend breaks the names into lines; of a line and dots of one name the dots are named. One
// name alone needs no legend.
func newLegend(all []named, width vg.Length) (l legend) {
	var names []named
	for i, n := range all {
		if !slices.ContainsFunc(all[i+1:], func(later named) bool { return later.text == n.text }) {
			names = append(names, n)
		}
	}
	if len(names) < 2 {
		return l
	}
	l.style = plot.New().Legend.TextStyle
	l.style.Font.Size = vg.Points(8.5)
	room, used := width-0.5*vg.Centimeter, vg.Length(0)
	for _, n := range names {
		w := l.width(n)
		if len(l.rows) == 0 || used+w > room {
			l.rows, used = append(l.rows, nil), 0
		}
		l.rows[len(l.rows)-1] = append(l.rows[len(l.rows)-1], n)
		used += w
	}
	l.height = vg.Points(pitch)*vg.Length(len(l.rows)) + vg.Points(4)
	return l
}

func (l legend) width(n named) vg.Length {
	return vg.Points(sample+4+gap) + l.style.Width(n.text)
}

// draw puts the legend into its place.
func (l legend) draw(c draw.Canvas) {
	y := c.Max.Y
	for _, row := range l.rows {
		y -= vg.Points(pitch)
		x := c.Min.X
		for _, n := range row {
			n.thumb.Thumbnail(&draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y + vg.Points(2)}, Max: vg.Point{X: x + vg.Points(sample), Y: y + vg.Points(10)}}})
			c.FillText(l.style, vg.Point{X: x + vg.Points(sample+4), Y: y + vg.Points(3)}, n.text)
			x += l.width(n)
		}
	}
}
