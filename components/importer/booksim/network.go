package booksim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
)

// A network is the topology of an import, and what follows from it.
type network struct {
	*importer.Reader
	in        *importer.Input
	of        string // file of the configuration
	draft     *importer.Draft
	net       *importer.Block
	name      string
	classes   int // virtual channels that the routing uses; 0 is all
	least     int // virtual channels that our routing needs
	dragonfly bool
}

// topology writes the topology and the latencies of its channels.
func (t *network) topology() error {
	v := t.Get("topology", "torus")
	t.name = v.Text
	k, n, c := t.Get("k", "8"), t.Get("n", "2"), t.Get("c", "1")
	routers, dims := k.Int(), n.Int()
	grid := slices.Repeat([]int{routers}, max(0, min(dims, 16)))
	set := func(name string) { t.net.From("topology.name", name, v) }
	concentrated := t.name == "cmesh" || t.name == "flatfly"
	if !concentrated {
		t.LeaveKey("c", "the tool does not read it with topology %s", t.name)
	}
	switch t.name {
	case "mesh", "torus":
		set(t.name)
		t.net.Set("topology.dims", grid, k.From()+", "+n.From())
	case "cmesh":
		set("mesh")
		t.net.Set("topology.dims", grid, k.From()+", "+n.From())
	case "flatfly":
		set("hyperx")
		t.net.Set("topology.dims", grid, k.From()+", "+n.From())
	case "fattree":
		set("fat_tree")
		t.net.From("topology.k", routers, k)
		t.net.From("topology.n", dims, n)
	case "dragonflynew":
		t.dragonfly = true
		set("dragonfly")
		t.net.From("topology.p", routers, k)
		t.net.Set("topology.a", 2*routers, "twice "+k.From())
		t.net.From("topology.h", routers, k)
	case "fly":
		if dims != 1 {
			n.Fail("a fly of %d stages has no counterpart here (want n = 1, a crossbar)", dims)
		}
		set("crossbar")
		t.net.From("topology.terminals", routers, k)
	case "anynet":
		if err := t.anynet(); err != nil {
			return err
		}
	default:
		v.Fail("has no counterpart here: %q (want one of: anynet, cmesh, dragonflynew, fattree, flatfly, fly with n = 1, mesh, torus)", v.Text)
	}
	if concentrated {
		t.net.From("topology.concentration", c.Int(), c)
	}
	t.latency(routers, dims)
	return nil
}

// latency writes the latency of the channels between routers.
func (t *network) latency(routers, dims int) {
	long := t.Get("use_noc_latency", "1")
	wide, xr, yr := t.Get("x", "8"), t.Get("xr", "1"), t.Get("yr", "1")
	if t.name != "flatfly" {
		for _, key := range []string{"x", "y", "xr", "yr"} {
			t.LeaveKey(key, "follows from k and c, or is not read by the tool")
		}
	}
	cycles := func(n int) string { return fmt.Sprintf("%dcycle", n) }
	noc := long.Text == "1"
	switch {
	case t.name == "torus" && noc:
		t.net.From("local.latency", cycles(2), long)
	case t.name == "cmesh" && noc:
		t.net.From("local.latency", cycles(2), long)
	case t.name == "flatfly" && noc:
		mean, most := distance(routers, dims, wide.Int(), xr.Int(), yr.Int())
		t.net.From("local.latency", cycles(int(math.Round(mean))), long)
		if most > int(math.Round(mean)) {
			t.Leave(long, "channels of 1 to %d cycles by distance; here all have the mean, %.3g, in whole cycles", most, mean)
		}
	case t.dragonfly:
		t.net.Set("local.latency", cycles(10), "of the tool's dragonflies")
		t.net.Set("global.latency", cycles(100), "of the tool's dragonflies")
	case t.name != "fly": // whose one router has no channels to others
		t.net.Set("local.latency", cycles(1), "of the tool's channels")
	}
	t.net.Set("terminal.latency", cycles(1), "of the tool's channels")
}

// distance is the mean and the greatest length of the channels of a flattened butterfly. The tool
// lays it out on a plane, x routers wide, each of xr by yr terminals.
func distance(k, n, x, xr, yr int) (mean float64, most int) {
	sum, channels := 0, 0
	x = max(1, x)
	length := func(a, b int) {
		d := xr*abs(a%x-b%x) + yr*abs(a/x-b/x)
		sum, channels, most = sum+d, channels+1, max(most, d)
	}
	for a, stride := 0, 1; stride < pow(k, n); stride *= k {
		for a = range pow(k, n) {
			for i := range k {
				if b := a + (i-a/stride%k)*stride; b != a {
					length(a, b)
				}
			}
		}
	}
	if channels == 0 {
		return 1, 1
	}
	return float64(sum) / float64(channels), most
}

func abs(n int) int { return max(n, -n) }

func pow(k, n int) int {
	out := 1
	for range n {
		if out *= k; out > 1<<16 {
			return 1 << 16
		}
	}
	return out
}

// A route is our algorithm for one of the tool's; note says what differs.
type route struct{ ours, note string }

const nearest = "the nearest here; no such algorithm on this topology (causeway list routings)"

// routes are by topology and the tool's name.
var routes = map[string]map[string]route{
	"mesh": {
		"dor": {ours: "dor"}, "dim_order": {ours: "dor"}, "xy_yx": {ours: "o1turn"}, "min_adapt": {ours: "adaptive"},
		"adaptive_xy_yx": {"o1turn", "the order of dimensions is drawn, not chosen by credits"},
		"dim_order_ni":   {"dor", "packets take any virtual channel, not that of their destination"},
		"dim_order_pni":  {"dor", "packets take any virtual channel, not that of their destination"},
		"romm":           {"o1turn", nearest}, "romm_ni": {"o1turn", nearest}, "planar_adapt": {"adaptive", nearest},
		"valiant": {"o1turn", nearest}, "chaos": {"adaptive", nearest},
	},
	"torus": {
		"dim_order": {ours: "dor"}, "min_adapt": {ours: "adaptive"},
		"dim_order_ni":  {"dor", "packets take any virtual channel, not that of their destination"},
		"dim_order_bal": {"dor", "virtual channels are not balanced between the sides of the dateline"},
		"valiant":       {"dor", nearest}, "valiant_ni": {"dor", nearest}, "chaos": {"adaptive", nearest},
	},
	"cmesh": {
		"dor_no_express": {ours: "dor"}, "xy_yx_no_express": {ours: "o1turn"},
		"dor":   {"dor", "a mesh has no express channels at its edges"},
		"xy_yx": {"o1turn", "a mesh has no express channels at its edges"},
	},
	"fattree": {"nca": {ours: "nca"}, "anca": {"nca", "the port up is drawn, not chosen by credits"}},
	"flatfly": {
		"ran_min": {ours: "dor"}, "xyyx": {"dor", nearest}, "adaptive_xyyx": {"dor", nearest}, "valiant": {"dor", nearest},
		"ugal": {"dor", nearest}, "ugal_pni": {"dor", nearest}, "ugal_xyyx": {"dor", nearest},
	},
	"dragonflynew": {
		"min":  {ours: "min"},
		"ugal": {"ugal_l", "the tool's virtual channels of ugal have a cycle and may deadlock; here they are safe (vc_map: safe)"},
	},
	"fly":    {"dest_tag": {}},
	"anynet": {"min": {"shortest", "among shortest paths the emptiest port is taken; the tool takes one for each pair"}},
}

// safeClasses is the virtual channels that ugal_l needs without a cycle; the tool's has three phases.
const safeClasses = 4

// routing writes the algorithm.
func (t *network) routing() {
	v := t.Get("routing_function", "none")
	all := routes[t.name]
	to, ok := all[v.Text]
	if !ok {
		if all != nil {
			var names []string
			for name := range all {
				names = append(names, name)
			}
			slices.Sort(names)
			v.Fail("%q is no algorithm of topology %s (want one of: %s)", v.Text, t.name, strings.Join(names, ", "))
		}
		return
	}
	if to.note != "" {
		t.Leave(v, "%s: %s", to.ours, to.note)
	}
	if to.ours != "" {
		t.net.From("routing.name", to.ours, v)
	}
	if t.dragonfly {
		t.classes = map[string]int{"min": 2, "ugal_l": safeClasses}[to.ours]
	}
}
