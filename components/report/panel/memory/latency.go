package memory

import (
	"github.com/causeway-sim/causeway/components/report/panel"
)

import "github.com/causeway-sim/causeway/components/report/chart"

func init() {
	panel.Add("latency", "Latency of reads at drivers and memories: least, median, mean, 99th percentile, most.", panel.Panel{Section: panel.Memory, Place: 8, Draw: latency})
	panel.Add("bandwidth", "Bandwidth that each node moved.", panel.Panel{Section: panel.Memory, Place: 9, Draw: bandwidth})
}

func latency(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := panel.NodeBars(d.Run, d.Run.Having("read_latency_from_arrival_mean_ns"), []panel.Part{
		{Metric: "read_latency_from_arrival_min_ns", Name: "min", Color: "#c3dcee"}, {Metric: "read_latency_from_arrival_p50_ns", Name: "median", Color: "#56b4e9"}, {Metric: "read_latency_from_arrival_mean_ns", Name: "mean", Color: "#0072b2"},
		{Metric: "read_latency_from_arrival_p99_ns", Name: "99th percentile", Color: "#e69f00"}, {Metric: "read_latency_from_arrival_max_ns", Name: "max", Color: "#d55e00"},
	})
	f.Name, f.Title, f.Y, f.Stack = "latency", "Latency of reads", chart.Axis{Name: "from arrival to answer", Unit: "ns"}, false
	return panel.OneFigure(f)
}

func bandwidth(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	nodes := d.Run.Having("bandwidth")
	f := panel.NodeBars(d.Run, nodes, []panel.Part{{Metric: "bandwidth", Name: "reached", Color: "#0072b2"}})
	nominal, any := chart.Series{Name: "nominal", Color: "#bbbbbb"}, false
	for _, n := range f.X.Labels {
		v := d.Run.PeakBandwidth(n)
		nominal.Y, any = append(nominal.Y, v), any || v > 0
	}
	if any {
		f.Series = append(f.Series, nominal)
	}
	f.Name, f.Title, f.Y, f.Stack = "bandwidth", "Bandwidth of each node", chart.Axis{Name: "bandwidth", Unit: "GB/s"}, false
	f.Note = "Bytes read and written per second: of cores over the run, of drivers and memories up to their last answer."
	return panel.OneFigure(f)
}
