package panel

import "github.com/causeway-sim/causeway/components/report/chart"

func init() {
	add("cxl-latency", "The mean latency of a load over CXL, cut into the parts of its way.", Panel{Section: Memory, Place: 5, Draw: cxlLatency})
	add("cxl-devload", "How loaded the devices said they were, in the answers to each host.", Panel{Section: Memory, Place: 7, Draw: devload})
	add("cxl-links", "How busy the links of CXL hosts were, down and up.", Panel{Section: Memory, Place: 6, Draw: cxlLinks})
}

// The parts of a load in the order of its way.
var loadParts = []part{
	{"load_host_mean", "in the host", "#003f63"}, {"load_port_mean", "ports", "#0072b2"}, {"load_link_queue_mean", "queue of a link", "#d55e00"},
	{"load_serialization_mean", "on the link", "#56b4e9"}, {"load_wire_mean", "wire", "#8abfe2"}, {"load_retry_mean", "link retries", "#f0e442"},
	{"load_switch_mean", "switches", "#cc79a7"}, {"load_device_mean", "device", "#009e73"}, {"load_device_queue_mean", "queue of the device", "#66c2a4"},
	{"load_dram_queue_mean", "queue of the memory", "#e69f00"}, {"load_dram_service_mean", "memory", "#8c6d31"}, {"load_return_mean", "way back", "#999999"},
}

func cxlLatency(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := byNode(d.Run, d.Run.having("load_latency_mean"), loadParts)
	f.Name, f.Title, f.Y = "cxl-latency", "Latency of a load by parts", chart.Axis{Name: "mean latency", Unit: "ns"}
	f.Note = "The parts add up to the mean latency that the host sees."
	f.Wide = true
	return drawn(f)
}

func devload(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := byNode(d.Run, d.Run.having("devload_light"), []part{
		{"devload_light", "light", "#56b4e9"}, {"devload_optimal", "optimal", "#009e73"}, {"devload_moderate", "moderate overload", "#e69f00"}, {"devload_severe", "severe overload", "#d55e00"},
	})
	f.Name, f.Title, f.Y = "cxl-devload", "Load that devices reported", chart.Axis{Name: "answers", Unit: "1"}
	return drawn(f)
}

func cxlLinks(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := byNode(d.Run, d.Run.having("link_utilization_down"), []part{{"link_utilization_down", "to the device", "#0072b2"}, {"link_utilization_up", "to the host", "#e69f00"}})
	f.Name, f.Title, f.Y, f.Stack = "cxl-links", "How busy the links of hosts were", chart.Axis{Name: "busy", Unit: "%"}, false
	return drawn(f)
}
