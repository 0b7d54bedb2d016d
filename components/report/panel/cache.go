package panel

import "github.com/causeway-sim/causeway/components/report/chart"

func init() {
	add("cache-lines", "Lines of each cache that were found, joined, brought in, passed by.", Panel{Section: Memory, Place: 1, Draw: cacheLines})
	add("cache-traffic", "Bytes above and below each cache: what it keeps away from the memory.", Panel{Section: Memory, Place: 3, Draw: cacheTraffic})
}

func cacheLines(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := byNode(d.Run, d.Run.having("hit_rate"), []part{
		{"hits", "hit", "#009e73"}, {"merges", "already on its way", "#56b4e9"}, {"misses", "miss", "#d55e00"}, {"bypasses", "bypassed", "#cc79a7"},
	})
	f.Name, f.Title, f.Y = "cache-lines", "Accesses of the caches by outcome", chart.Axis{Name: "lines", Unit: "1"}
	return drawn(f)
}

func cacheTraffic(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := byNode(d.Run, d.Run.having("below_read_bytes"), []part{
		{"read_bytes", "read above", "#0072b2"}, {"write_bytes", "written above", "#56b4e9"},
		{"below_read_bytes", "read below", "#d55e00"}, {"below_write_bytes", "written below", "#e69f00"},
	})
	f.Name, f.Title, f.Y = "cache-traffic", "Traffic above and below the caches", chart.Axis{Name: "bytes", Unit: "B"}
	f.Stack = false
	return drawn(f)
}
