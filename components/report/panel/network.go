package panel

import (
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("packets", "Latency of the packets of synthetic traffic, and how fair the sources are served.", Panel{Section: Network, Place: 3, Names: []string{"packet-latency", "packet-load"}, Draw: packets})
	Add("messages", "Latency of messages in networks, and how busy their channels were.", Panel{Section: Network, Place: 4, Names: []string{"message-latency", "channel-busy"}, Draw: messages})
}

// packets shows what the measured phase of a traffic node found.
func packets(d *Data) (out []chart.Figure) {
	if d.Run == nil {
		return nil
	}
	nodes := d.Run.nodes(func(name string, _ stats.Metric) bool { return name == "packet_latency_mean" })
	for _, p := range []struct {
		name, title, axis, unit string
		parts                   []Part
	}{
		{"packet-latency", "Latency of measured packets", "latency", "cycle", []Part{
			{"packet_latency_min", "min", "#c3dcee"}, {"packet_latency_p50", "median", "#56b4e9"}, {"packet_latency_mean", "mean", "#0072b2"},
			{"network_latency_mean", "mean, in the network", "#009e73"}, {"packet_latency_p99", "99th percentile", "#e69f00"}, {"packet_latency_max", "max", "#d55e00"}}},
		{"packet-load", "Offered and accepted load", "load", "flit/node/cycle", []Part{
			{"offered_load", "offered", "#bbbbbb"}, {"accepted_load", "accepted, mean of sources", "#0072b2"},
			{"source_load_min", "of the slowest source", "#d55e00"}, {"source_load_max", "of the fastest source", "#009e73"}}},
	} {
		f := chart.Figure{Name: p.name, Title: p.title}
		f.Kind, f.Across, f.Y, f.X.Labels = chart.Bars, true, chart.Axis{Name: p.axis, Unit: p.unit}, nodes
		for _, q := range p.parts {
			s := chart.Series{Name: q.Name, Color: q.Color}
			found := false
			for _, n := range nodes {
				m, ok := d.Run.MetricIn("measure", n, q.Metric)
				found = found || ok
				s.Y = append(s.Y, m.Value)
			}
			if found {
				f.Series = append(f.Series, s)
			}
		}
		out = append(out, OneFigure(f)...)
	}
	return out
}

func messages(d *Data) (out []chart.Figure) {
	if d.Run == nil {
		return nil
	}
	nets := d.Run.Having("channel_busy_mean")
	f := NodeBars(d.Run, nets, []Part{{"message_transit_mean", "mean, in the network", "#0072b2"}, {"message_latency_mean", "mean, with the queue at the source", "#56b4e9"}, {"message_latency_max", "max", "#d55e00"}})
	f.Name, f.Title, f.Y, f.Stack = "message-latency", "Latency of messages", chart.Axis{Name: "latency", Unit: "cycle"}, false
	out = append(out, OneFigure(f)...)
	f = NodeBars(d.Run, nets, []Part{{"channel_busy_mean", "mean channel", "#0072b2"}, {"channel_busy_max", "busiest channel", "#d55e00"}})
	f.Name, f.Title, f.Y, f.Stack = "channel-busy", "How long channels were busy", chart.Axis{Name: "busy", Unit: "cycle"}, false
	shareOfRun(&f, &f.Y, d.Run.cyclesOfAll(nets))
	f.Note = "Channels between routers. The further the busiest is from the mean, the more one channel holds up the others."
	return append(out, OneFigure(f)...)
}
