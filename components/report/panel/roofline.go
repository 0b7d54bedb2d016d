package panel

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/draw"
	"github.com/causeway-sim/causeway/components/report/layers"
)

func init() {
	Add("roofline", "Each layer by multiply-accumulates per byte and per cycle, under the roofs of the configuration.",
		Panel{Section: Time, Place: 3, Draw: roofline})
}

// tagged is how many dots of a roofline carry the name of their layer.
const tagged = 6

func roofline(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	r, _, err := layers.RooflineOf(d.Run.Layers, d.Run.Metrics)
	if err != nil {
		return nil
	}
	f := chart.Figure{Name: "roofline", Title: "Roofline"}
	f.Note = "A dot for each layer with matrix work, larger with more cycles. The lines are what the configuration allows: the peak of the array, and the nominal bandwidth of the memory that the node reaches. Bytes that came before a layer began are those of the layer that worked then."
	f.Kind = chart.Points
	f.X = chart.Axis{Name: "MACs per byte of memory traffic", Unit: "1", Log: true}
	f.Y = chart.Axis{Name: "MACs per cycle", Unit: "1", Log: true}
	top := 0.0
	for i, l := range r.Lines() {
		top = max(top, r.Roofs[i].Peak)
		name := "roof"
		if len(r.Roofs) > 1 {
			name = fmt.Sprintf("roof %d", i+1)
		}
		name += ": " + draw.SI(math.Round(r.Roofs[i].Peak)) + " MACs per cycle"
		if b := r.Roofs[i].Slope; b > 0 {
			name += fmt.Sprintf(", %.4g B per cycle", b)
		}
		f.Series = append(f.Series, chart.Series{Name: name, Line: true, X: l.Xs, Y: l.Ys, Color: "#888888"})
	}
	if above := 10 * math.Pow(10, math.Floor(math.Log10(top))); top > 0.8*above || top < above/8 {
		f.Y.Max = new(2 * top) // room for dots at the roof
	}
	dots := chart.Series{Name: "layers", Color: "#0072b2", Tags: tagged}
	for _, p := range r.Heaviest(len(r.Points)) {
		dots.X, dots.Y, dots.Size = append(dots.X, p.X), append(dots.Y, p.Y), append(dots.Size, p.Cycles)
		dots.Labels = append(dots.Labels, p.Label())
	}
	f.Series = append(f.Series, dots)
	return []chart.Figure{f}
}
