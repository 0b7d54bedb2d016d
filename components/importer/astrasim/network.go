package astrasim

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/causeway-sim/causeway/components/importer"
)

// network writes the network and returns the ranks of each dimension, none after an error.
func network(r *importer.Reader, d *importer.Draft) []int {
	topology, counts := r.Get("topology", ""), r.Get("npus_count", "")
	rates, delays := r.Get("bandwidth", ""), r.Get("latency", "")
	dims := len(topology.List())
	for _, v := range []importer.Value{counts, rates, delays} {
		if len(v.List()) != dims {
			v.Fail("has %d values, topology has %d", len(v.List()), dims)
			return nil
		}
	}
	var size []int
	var bandwidth, latency []float64
	for i, kind := range topology.List() {
		if kind != "Ring" && kind != "Switch" && kind != "FullyConnected" {
			topology.Fail("unknown topology %q (want one of: Ring, Switch, FullyConnected)", kind)
			return nil
		}
		n := counts.Item(counts.List()[i]).Int()
		if n < 1 || n > 1<<16 {
			counts.Fail("is %d (want 1 to 65536)", n)
			return nil
		}
		size = append(size, n)
		bandwidth = append(bandwidth, rates.Item(rates.List()[i]).Float())
		latency = append(latency, delays.Item(delays.List()[i]).Float())
	}
	net := d.Node("Net", "network")
	net.Set("fidelity", "flow", "messages as a whole, as the analytical back end")
	c := channels{r, net, rates, delays}
	switch {
	case dims == 1 && topology.List()[0] == "Ring":
		net.From("topology.name", "ring", topology)
		net.From("topology.size", size[0], counts)
		c.write("local", bandwidth[0], latency[0], 4)
	case dims == 1 && topology.List()[0] == "FullyConnected":
		net.From("topology.name", "fully_connected", topology)
		net.From("topology.routers", size[0], counts)
		c.write("local", bandwidth[0], latency[0], 4)
	case dims == 1:
		net.From("topology.name", "crossbar", topology)
		net.From("topology.terminals", size[0], counts)
		c.write("terminal", bandwidth[0], latency[0], 1)
	default:
		net.From("topology.name", "file", topology)
		net.From("topology.file", d.File("network.txt", list(topology.List(), size)), counts)
		net.Set("routing.name", "shortest", "")
		c.write("local", bandwidth[0], latency[0], 4)
		c.write("global", bandwidth[1], latency[1], 4)
		for i := 2; i < dims; i++ {
			if bandwidth[i] != bandwidth[1] || latency[i] != latency[1] {
				r.Leave(rates, "channels have two classes: dimension %d is as dimension 2", i+1)
			}
		}
		r.Leave(topology, "the congestion-unaware back end sends at full rate whatever else is on a channel; here messages wait for each other")
	}
	if dims > 1 || topology.List()[0] != "Switch" {
		net.Set("terminal.latency", "1ns", "")
		net.Set("terminal.bandwidth", "1000000TB/s", "none of the tool's")
	}
	net.Set("clock", "1GHz", "the tool's time is whole nanoseconds")
	net.Set("router.latency", "0ns", "")
	net.Set("switching", "store_and_forward", "as the congestion-aware back end")
	net.Set("rounding", "down", "as the tool")
	return size
}

type channels struct {
	r      *importer.Reader
	net    *importer.Block
	rates  importer.Value
	delays importer.Value
}

// write sets the channels of a class. Links and terminals have a nanosecond each, which the
// latency here lacks. A fraction of a nanosecond is lost.
func (c channels) write(class string, bandwidth, latency float64, less int) {
	if latency != math.Floor(latency) {
		c.r.Leave(c.delays, "%g ns: latencies are in whole nanoseconds here", math.Floor(latency))
	}
	ns := max(0, int(latency)-less)
	if int(latency) < less {
		c.r.Leave(c.delays, "%d ns at least: links and terminals take a nanosecond each", less)
	}
	c.net.Set(class+".latency", fmt.Sprintf("%dns", ns), fmt.Sprintf("%s, less %d ns of links and terminals", c.delays.From(), less))
	c.net.Set(class+".bandwidth", strconv.FormatFloat(math.Round(bandwidth*(1<<30)), 'f', 0, 64)+"B/s", c.rates.From()+", in GB of 2^30 bytes")
}

// list is a network of several dimensions as a topology file: a router for each rank, and one for
// each Switch. Channels of the first dimension are local, those of the others global.
func list(kinds []string, size []int) []byte {
	var out bytes.Buffer
	out.WriteString("# network of ASTRA-sim, written by causeway import\n")
	all := 1
	for _, n := range size {
		all *= n
	}
	for i := range all {
		fmt.Fprintf(&out, "terminals %d 1\n", i)
	}
	next, stride := all, 1
	for dim, kind := range kinds {
		n := size[dim]
		class := "global"
		if dim == 0 {
			class = "local"
		}
		join := func(a, b int) { fmt.Fprintf(&out, "channel %d %d %s\n", a, b, class) }
		for first := range all {
			if first/stride%n != 0 {
				continue
			}
			at := func(i int) int { return first + i*stride }
			switch {
			case kind == "Switch":
				for i := range n {
					join(at(i), next)
				}
				next++
			case kind == "Ring" && n > 2:
				for i := range n {
					join(at(i), at((i+1)%n))
				}
			default: // FullyConnected, and a Ring of two
				for i := range n {
					for k := i + 1; k < n; k++ {
						join(at(i), at(k))
					}
				}
			}
		}
		stride *= n
	}
	return out.Bytes()
}
