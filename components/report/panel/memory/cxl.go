package memory

import (
	"github.com/causeway-sim/causeway/components/report/panel"
)

import "github.com/causeway-sim/causeway/components/report/chart"

func init() {
	panel.Add("cxl-latency", "The mean latency of a load over CXL, cut into the parts of its way.", panel.Panel{Section: panel.Memory, Place: 5, Draw: cxlLatency})
	panel.Add("cxl-devload", "How loaded the devices said they were, in the answers to each host.", panel.Panel{Section: panel.Memory, Place: 7, Draw: devload})
	panel.Add("cxl-links", "How busy the links of CXL hosts were, down and up.", panel.Panel{Section: panel.Memory, Place: 6, Draw: cxlLinks})
}

// The parts of a load in the order of its way.
var loadParts = []panel.Part{
	{Metric: "load_host_mean", Name: "in the host", Color: "#003f63"}, {Metric: "load_port_mean", Name: "ports", Color: "#0072b2"}, {Metric: "load_link_queue_mean", Name: "queue of a link", Color: "#d55e00"},
	{Metric: "load_serialization_mean", Name: "on the link", Color: "#56b4e9"}, {Metric: "load_wire_mean", Name: "wire", Color: "#8abfe2"}, {Metric: "load_retry_mean", Name: "link retries", Color: "#f0e442"},
	{Metric: "load_switch_mean", Name: "switches", Color: "#cc79a7"}, {Metric: "load_device_mean", Name: "device", Color: "#009e73"}, {Metric: "load_device_queue_mean", Name: "queue of the device", Color: "#66c2a4"},
	{Metric: "load_dram_queue_mean", Name: "queue of the memory", Color: "#e69f00"}, {Metric: "load_dram_service_mean", Name: "memory", Color: "#8c6d31"}, {Metric: "load_return_mean", Name: "way back", Color: "#999999"},
}

func cxlLatency(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := panel.NodeBars(d.Run, d.Run.Having("load_latency_mean"), loadParts)
	f.Name, f.Title, f.Y = "cxl-latency", "Latency of a load by parts", chart.Axis{Name: "mean latency", Unit: "ns"}
	f.Note = "The parts add up to the mean latency that the host sees."
	f.Wide = true
	return panel.OneFigure(f)
}

func devload(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := panel.NodeBars(d.Run, d.Run.Having("devload_light"), []panel.Part{
		{Metric: "devload_light", Name: "light", Color: "#56b4e9"}, {Metric: "devload_optimal", Name: "optimal", Color: "#009e73"}, {Metric: "devload_moderate", Name: "moderate overload", Color: "#e69f00"}, {Metric: "devload_severe", Name: "severe overload", Color: "#d55e00"},
	})
	f.Name, f.Title, f.Y = "cxl-devload", "Load that devices reported", chart.Axis{Name: "answers", Unit: "1"}
	return panel.OneFigure(f)
}

func cxlLinks(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := panel.NodeBars(d.Run, d.Run.Having("link_utilization_down"), []panel.Part{{Metric: "link_utilization_down", Name: "to the device", Color: "#0072b2"}, {Metric: "link_utilization_up", Name: "to the host", Color: "#e69f00"}})
	f.Name, f.Title, f.Y, f.Stack = "cxl-links", "How busy the links of hosts were", chart.Axis{Name: "busy", Unit: "%"}, false
	return panel.OneFigure(f)
}
