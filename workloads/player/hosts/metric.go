package hosts

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

// count is what one host did; index 1 is writes.
type count struct {
	requests, bytes                [2]uint64
	packets, lines, aligned, flits [2]uint64
	answered                       [2]uint64
	latency                        [2]int64 // of packets, ps
	least                          [2]int64
	compute, wait, active, finish  int64 // ps
}

func index(write bool) int {
	if write {
		return 1
	}
	return 0
}

// request counts a request that is sent.
func (n *count) request(q *Request, packet uint64) {
	k := index(q.Write)
	c := q.Count(packet)
	n.requests[k]++
	n.bytes[k] += uint64(q.Size)
	n.packets[k] += c.Packets
	n.lines[k] += c.Lines
	n.aligned[k] += c.Aligned
	n.flits[k] += c.Flits
}

// packet counts the answer of a packet.
func (n *count) packet(write bool, latency int64) {
	k := index(write)
	if n.answered[k] == 0 || latency < n.least[k] {
		n.least[k] = latency
	}
	n.answered[k]++
	n.latency[k] += latency
}

func (c *Comp) newStats() {
	c.stats = stats.NewGroup(c.Name())
	g := c.stats
	// each counter for all hosts together, and host by host
	sum := func(name string, unit stats.Unit, text string, of func(n *count) float64) {
		g.Value(name, unit, text+", of all hosts.", func() (float64, bool) {
			v := 0.
			for i := range c.hosts {
				v += of(&c.hosts[i].count)
			}
			return v, true
		})
		for i := range c.hosts {
			g.Value(fmt.Sprintf("%s_host%d", name, i), unit, fmt.Sprintf("%s, of host %d.", text, i), func() (float64, bool) {
				return of(&c.hosts[i].count), true
			})
		}
	}
	most := func(name, text string, of func(n *count) int64) {
		g.Value(name, stats.NS, text+", greatest of hosts.", func() (float64, bool) {
			v := int64(0)
			for i := range c.hosts {
				v = max(v, of(&c.hosts[i].count))
			}
			return float64(v) / 1000, true
		})
		for i := range c.hosts {
			g.Value(fmt.Sprintf("%s_host%d", name, i), stats.NS, fmt.Sprintf("%s, of host %d.", text, i), func() (float64, bool) {
				return float64(of(&c.hosts[i].count)) / 1000, true
			})
		}
	}
	for k, what := range []string{"read", "write"} {
		sum(what+"s", stats.Request, "Requests to "+what, func(n *count) float64 { return float64(n.requests[k]) })
		sum(what+"_bytes", stats.Byte, "Bytes of the "+what+"s", func(n *count) float64 { return float64(n.bytes[k]) })
		sum(what+"_packets", stats.Request, "Packets of the "+what+"s, each cut from its request's own start", func(n *count) float64 { return float64(n.packets[k]) })
		sum(what+"_lines", stats.Request, "Lines of 64 B of these packets", func(n *count) float64 { return float64(n.lines[k]) })
		sum(what+"_lines_aligned", stats.Request, "Aligned lines of 64 B that the "+what+"s touch", func(n *count) float64 { return float64(n.aligned[k]) })
		rule := "two reads a flit"
		if k == 1 {
			rule = "four writes in five flits"
		}
		sum(what+"_flits_rule", stats.Flit, "Flits of 68 B by the rule of "+rule+", rounded up per packet", func(n *count) float64 { return float64(n.flits[k]) })
		g.Value(what+"_packet_latency_mean", stats.NS, "Mean time from the start of a packet of a "+what+" to its answer.", func() (float64, bool) {
			v, m := 0., 0.
			for i := range c.hosts {
				v += float64(c.hosts[i].count.latency[k])
				m += float64(c.hosts[i].count.answered[k])
			}
			return v / max(m, 1) / 1000, m > 0
		})
		g.Value(what+"_packet_latency_min", stats.NS, "Least time from the start of a packet of a "+what+" to its answer.", func() (float64, bool) {
			v, ok := int64(0), false
			for i := range c.hosts {
				if n := &c.hosts[i].count; n.answered[k] > 0 && (!ok || n.least[k] < v) {
					v, ok = n.least[k], true
				}
			}
			return float64(v) / 1000, ok
		})
	}
	most("total_time", "Time of the last answer, or of the end of computation behind it", func(n *count) int64 { return n.finish })
	most("compute_time", "Time of computation", func(n *count) int64 { return n.compute })
	most("signal_wait_time", "Time in which a read waited for its write", func(n *count) int64 { return n.wait })
	most("active_time", "Time with packets under way", func(n *count) int64 { return n.active })
	g.Value("bandwidth", stats.GBps, "Bytes read and written over the greatest time with packets under way.", func() (float64, bool) {
		b, t := 0., int64(0)
		for i := range c.hosts {
			n := &c.hosts[i].count
			b += float64(n.bytes[0] + n.bytes[1])
			t = max(t, n.active)
		}
		return b / float64(max(t, 1)) * 1000, t > 0
	})
	g.Check("every packet is answered", func() error {
		for i := range c.hosts {
			if h := &c.hosts[i]; h.all > 0 || h.pc < len(h.program.Requests) {
				return fmt.Errorf("host %d: request %d of %d, %d packets under way", i, h.pc, len(h.program.Requests), h.all)
			}
		}
		return nil
	})
}
