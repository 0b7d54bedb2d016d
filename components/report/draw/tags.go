package draw

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// tags are names of dots, each beside its own: over no other dot and no other name, and left out
// where there is no such place.
type tags struct {
	all   plotter.XYs // the dots, the first of which have names
	names []string
	style draw.TextStyle
}

// Plot implements plot.Plotter.
func (t tags) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	dot := vg.Points(4)
	var taken []vg.Rectangle
	for _, d := range t.all {
		x, y := tx(d.X), ty(d.Y)
		taken = append(taken, vg.Rectangle{Min: vg.Point{X: x - dot, Y: y - dot}, Max: vg.Point{X: x + dot, Y: y + dot}})
	}
	for i, name := range t.names {
		if box, ok := place(t.style.Rectangle(name).Size(), vg.Point{X: tx(t.all[i].X), Y: ty(t.all[i].Y)}, c.Rectangle, taken); ok {
			taken = append(taken, box)
			s := t.style
			s.XAlign, s.YAlign = draw.XLeft, draw.YBottom
			c.FillText(s, box.Min, name)
		}
	}
}

// place finds a place for a text of that size beside a dot: inside the area and free of what is
// taken.
func place(size, dot vg.Point, area vg.Rectangle, taken []vg.Rectangle) (box vg.Rectangle, ok bool) {
	for _, far := range []vg.Length{vg.Points(5), vg.Points(10)} {
		for _, way := range [][2]vg.Length{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
			mid := vg.Point{X: dot.X + way[0]*(far+size.X/2), Y: dot.Y + way[1]*(far+size.Y/2)}
			box := vg.Rectangle{Min: vg.Point{X: mid.X - size.X/2, Y: mid.Y - size.Y/2}, Max: vg.Point{X: mid.X + size.X/2, Y: mid.Y + size.Y/2}}
			if box.Min.X < area.Min.X || box.Min.Y < area.Min.Y || box.Max.X > area.Max.X || box.Max.Y > area.Max.Y {
				continue
			}
			free := true
			for _, o := range taken {
				free = free && (box.Max.X <= o.Min.X || o.Max.X <= box.Min.X || box.Max.Y <= o.Min.Y || o.Max.Y <= box.Min.Y)
			}
			if free {
				return box, true
			}
		}
	}
	return box, false
}
