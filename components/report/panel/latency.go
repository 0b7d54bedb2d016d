package panel

import "github.com/causeway-sim/causeway/components/report/chart"

func init() {
	add("latency", "Latency of reads at drivers and memories: least, median, mean, 99th percentile, most.", Panel{Section: Memory, Place: 8, Draw: latency})
	add("bandwidth", "Bandwidth that each node moved.", Panel{Section: Memory, Place: 9, Draw: bandwidth})
}

func latency(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := byNode(d.Run, d.Run.having("read_latency_from_arrival_mean_ns"), []part{
		{"read_latency_from_arrival_min_ns", "least", "#c3dcee"}, {"read_latency_from_arrival_p50_ns", "median", "#56b4e9"}, {"read_latency_from_arrival_mean_ns", "mean", "#0072b2"},
		{"read_latency_from_arrival_p99_ns", "99 of 100", "#e69f00"}, {"read_latency_from_arrival_max_ns", "most", "#d55e00"},
	})
	f.Name, f.Title, f.Y, f.Stack = "latency", "Latency of reads", chart.Axis{Name: "from arrival to answer", Unit: "ns"}, false
	return drawn(f)
}

func bandwidth(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	nodes := d.Run.having("bandwidth")
	f := byNode(d.Run, nodes, []part{{"bandwidth", "reached", "#0072b2"}, {"peak_bandwidth", "nominal", "#bbbbbb"}})
	f.Name, f.Title, f.Y, f.Stack = "bandwidth", "Bandwidth of each node", chart.Axis{Name: "bandwidth", Unit: "GB/s"}, false
	f.Note = "Bytes read and written over the total time of the run."
	return drawn(f)
}
