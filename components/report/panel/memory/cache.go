package memory

import (
	"github.com/causeway-sim/causeway/components/report/panel"
)

import "github.com/causeway-sim/causeway/components/report/chart"

func init() {
	panel.Add("cache-lines", "Lines of each cache that were found, joined, brought in, passed by.", panel.Panel{Section: panel.Memory, Place: 1, Draw: cacheLines})
	panel.Add("cache-traffic", "Bytes above and below each cache: what it keeps away from the memory.", panel.Panel{Section: panel.Memory, Place: 3, Draw: cacheTraffic})
}

func cacheLines(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := panel.NodeBars(d.Run, d.Run.Having("hit_rate"), []panel.Part{
		{Metric: "hits", Name: "hit", Color: "#009e73"}, {Metric: "merges", Name: "already on its way", Color: "#56b4e9"}, {Metric: "misses", Name: "miss", Color: "#d55e00"}, {Metric: "bypasses", Name: "bypassed", Color: "#cc79a7"},
	})
	f.Name, f.Title, f.Y = "cache-lines", "Accesses of the caches by outcome", chart.Axis{Name: "lines", Unit: "1"}
	return panel.OneFigure(f)
}

func cacheTraffic(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := panel.NodeBars(d.Run, d.Run.Having("below_read_bytes"), []panel.Part{
		{Metric: "read_bytes", Name: "read above", Color: "#0072b2"}, {Metric: "write_bytes", Name: "written above", Color: "#56b4e9"},
		{Metric: "below_read_bytes", Name: "read below", Color: "#d55e00"}, {Metric: "below_write_bytes", Name: "written below", Color: "#e69f00"},
	})
	f.Name, f.Title, f.Y = "cache-traffic", "Traffic above and below the caches", chart.Axis{Name: "bytes", Unit: "B"}
	f.Stack = false
	return panel.OneFigure(f)
}
