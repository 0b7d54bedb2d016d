package panel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/draw"
)

func init() {
	Add("channels-busiest", "The channels of networks that carried something longest, by name, and how long packets waited for them.", Panel{Section: Network, Place: 2, Draw: busiest})
	Add("network-stack", "Latency of packets and messages by where they are: at the source, in the network.", Panel{Section: Network, Place: 2, Draw: networkStack})
}

// maxBusiest is how many channels are named.
const maxBusiest = 12

// busiest names the channels that carried something longest.
func busiest(d *Data) []chart.Figure {
	type channel struct {
		name         string
		busy, stalls float64
	}
	var all []channel
	waits := false
	tables := channelTables(d.Run)
	for _, t := range tables {
		router, to, class, busy, stalls := t.Index("router"), t.Index("to"), t.Index("class"), t.Index("busy"), t.Index("stalls")
		if router < 0 || to < 0 || busy < 0 {
			continue
		}
		for i := range t.Rows {
			c := channel{fmt.Sprintf("router %.0f to %v", t.Number(i, router), t.Rows[i][to]), t.Number(i, busy), t.Number(i, stalls)}
			if class >= 0 && t.Rows[i][class] != "terminal" {
				c.name += fmt.Sprintf(", %v", t.Rows[i][class])
			}
			if len(tables) > 1 {
				c.name = t.Where + " " + c.name
			}
			if c.busy > 0 {
				all = append(all, c)
			}
			waits = waits || c.stalls > 0
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b channel) int { return cmp.Compare(b.busy, a.busy) })
	n := min(maxBusiest, len(all))
	f := chart.Figure{Name: "channels-busiest", Title: "Busiest channels"}
	f.Note = fmt.Sprintf("All %d that carried something.", n)
	if n < len(all) {
		f.Note = fmt.Sprintf("The first %d of %d that carried something; the next chart has all.", n, len(all))
	}
	if waits {
		most := slices.MaxFunc(all, func(a, b channel) int { return cmp.Compare(a.stalls, b.stalls) })
		f.Note += fmt.Sprintf(" Packets waited longest for %s: %s cycles, summed over packets.", most.name, draw.SI(math.Round(most.stalls)))
	}
	f.Kind, f.Across, f.Y = chart.Bars, true, chart.Axis{Name: "carrying", Unit: "cycle"}
	carried := chart.Series{Name: "carried something", Color: "#0072b2"}
	for _, c := range all[:n] {
		f.X.Labels, carried.Y = append(f.X.Labels, c.name), append(carried.Y, c.busy)
	}
	f.Series = []chart.Series{carried}
	shareOfRun(&f, &f.Y, d.Run.cyclesOfAll(networksOf(tables)))
	return []chart.Figure{f}
}

// networksOf are the networks that tables of channels are of.
func networksOf(tables []watch.Detail) (out []string) {
	for _, t := range tables {
		out = append(out, t.Where)
	}
	return out
}

// networkStack cuts the mean latency of packets and messages into the wait at their source and
// the way through the network.
func networkStack(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := chart.Figure{Name: "network-stack", Title: "Latency by parts"}
	f.Note = "The parts add up to the mean latency."
	f.Kind, f.Stack, f.Across, f.Y = chart.Bars, true, true, chart.Axis{Name: "mean latency", Unit: "cycle"}
	source, way := chart.Series{Name: "queue of the source", Color: "#d55e00"}, chart.Series{Name: "in the network", Color: "#0072b2"}
	for _, m := range d.Run.Metrics {
		whole, what := "", ""
		switch {
		case m.Phase == "measure" && m.Name == "network_latency_mean":
			whole, what = "packet_latency_mean", " packets"
		case m.Phase == "all" && m.Name == "message_transit_mean" && len(f.X.Labels) < maxLabels:
			whole, what = "message_latency_mean", " messages"
		default:
			continue
		}
		if all, ok := d.Run.MetricIn(m.Phase, m.Where, whole); ok {
			f.X.Labels = append(f.X.Labels, m.Where+what)
			source.Y, way.Y = append(source.Y, max(0, all.Value-m.Value)), append(way.Y, m.Value)
		}
	}
	f.Series = []chart.Series{source, way}
	return OneFigure(f)
}
