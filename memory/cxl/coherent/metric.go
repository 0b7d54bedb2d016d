package coherent

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
)

// Stats adds metrics to the device's group.
func (d *Device) Stats(g *stats.Group) {
	n := &d.Count
	g.Count("coherent_requests", stats.Request, "Requests of hosts for coherent lines.", &n.Requests)
	g.Count("coherent_writes", stats.Request, "Lines that hosts wrote back.", &n.Writes)
	g.Count("snoops", stats.One, "Snoops sent to hosts: back-invalidates, or CXL.cache requests.", &n.Snoops)
	g.Count("filter_evictions", stats.One, "Lines that a full snoop filter took from the hosts.", &n.Evictions)
	g.Count("filter_stalls", stats.One, "Requests that had to wait for a place in the snoop filter.", &n.Stalled)
	g.Count("blocked", stats.One, "Requests that found their line busy.", &n.Blocked)
	g.Count("conflicts", stats.One, "Questions of hosts who was first (BIConflict).", &n.Conflicts)
	g.Value("filter_lines_most", stats.One, "Lines in the snoop filter at once.", func() (float64, bool) { return float64(n.Most), true })
	if d.DeviceSpec.Done != nil {
		g.Count("device_cache_hits", stats.Request, "Accesses of accelerator and hosts that the device's cache had.", &n.CacheHits)
		g.Count("local_accesses", stats.Request, "Lines of the accelerator that needed no host.", &n.Hits)
		g.Count("remote_accesses", stats.Request, "Lines of the accelerator that had to wait for a host.", &n.Misses)
	}
	if d.Model == coherence.HDMD {
		g.Count("bias_to_device", stats.One, "Lines that went from host bias to device bias.", &n.ToDevice)
		g.Count("bias_to_host", stats.One, "Lines that went from device bias to host bias.", &n.ToHost)
	}
	noneBusy(g, "no line is left busy", d.Busy)
}

// Stats adds metrics to the root's group.
func (h *Host) Stats(g *stats.Group) {
	c := &h.Count
	g.Count("coherent_hits", stats.Request, "Accesses to coherent lines that the host's cache had in a sufficient state.", &c.Hits)
	g.Count("coherent_misses", stats.Request, "Accesses to coherent lines that had to wait for the device, or behind another one.", &c.Misses)
	g.Count("coherent_writebacks", stats.Request, "Modified lines written to coherent devices.", &c.Writebacks)
	g.Count("clean_evicts", stats.Request, "Clean lines given up (MemClnEvct).", &c.CleanEvicts)
	g.Count("back_invalidates", stats.One, "Back-invalidate snoops that came.", &c.Snoops)
	g.Count("bias_requests", stats.One, "CXL.cache requests that came for lines of the device's own memory.", &c.Flips)
	g.Count("snoop_invalidated", stats.One, "Copies that snoops took away.", &c.Invalidated)
	g.Count("conflicts_early", stats.One, "Snoops that met an own request that the device had not served.", &c.Early)
	g.Count("conflicts_late", stats.One, "Snoops that met an own request that the device had served.", &c.Late)
	g.Value("snoop_latency_mean", stats.NS, "Mean time from the last bit of a snoop at the pins to the first bit of its answer, where nothing had to be written or waited for.", func() (float64, bool) {
		return float64(h.count.quickTime) / float64(max(h.count.quick, 1)) / 1000, h.count.quick > 0
	})
	g.Value("snoop_slow_latency_mean", stats.NS, "The same where a modified line had to be written first, or a request of the host stood in the way.", func() (float64, bool) {
		return float64(h.count.slowTime) / float64(max(h.count.slow, 1)) / 1000, h.count.slow > 0
	})
	noneBusy(g, "no line is left busy", h.Busy)
}

func (a *Agent) stats(g *stats.Group) {
	c := &a.Count
	g.Count("host_cache_hits", stats.Request, "Lines of the host's memory that the device's cache had in a sufficient state.", &c.Hits)
	g.Count("host_cache_misses", stats.Request, "Lines of the host's memory that had to wait for the host, or behind another access.", &c.Misses)
	g.Count("host_cache_evictions", stats.Request, "Lines given back to the host.", &c.Evictions)
	g.Count("host_through", stats.Request, "Lines of the host's memory read or written without a place in the cache (RdCurr, WrInv).", &c.Through)
	g.Count("h2d_snoops", stats.One, "Snoops of the host that came.", &c.Snoops)
	g.Count("h2d_forwarded", stats.One, "Snoops that took modified data.", &c.Forwarded)
	g.Count("bogus_data", stats.One, "Pulled data that a snoop had taken before.", &c.Bogus)
	g.Value("h2d_snoop_latency_mean", stats.NS, "Mean time from the last bit of a snoop at the pins to the first bit of its answer, of lines that are not modified and that nothing has to be waited for.", func() (float64, bool) {
		return float64(a.count.cleanTime) / float64(max(a.count.clean, 1)) / 1000, a.count.clean > 0
	})
	g.Value("pull_latency_mean", stats.NS, "Mean time from the last bit of a WritePull at the pins to the first bit of the data.", func() (float64, bool) {
		return float64(a.count.pullTime) / float64(max(a.count.pulls, 1)) / 1000, a.count.pulls > 0
	})
	noneBusy(g, "no line of the host's memory is left busy", a.Busy)
}

func (h *HomeAgent) stats(g *stats.Group) {
	c := &h.Count
	g.Count("device_requests", stats.Request, "Requests of devices for lines of the host's memory (D2H).", &c.Requests)
	g.Count("device_snoops", stats.One, "Snoops of devices' caches (H2D).", &c.Snoops)
	g.Count("device_pulls", stats.One, "Data pulled from devices.", &c.Pulls)
	g.Count("bogus_pulls", stats.One, "Pulled data that were not taken, because a snoop had taken them before.", &c.Bogus)
	noneBusy(g, "no line of the host's memory is left busy", h.Busy)
}

// noneBusy checks that no line is left in the middle of a transaction.
func noneBusy(g *stats.Group, name string, busy func() int) {
	g.Check(name, func() error {
		if n := busy(); n > 0 {
			return fmt.Errorf("%d lines", n)
		}
		return nil
	})
}
