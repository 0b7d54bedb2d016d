package nearmem

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

// ns is picoseconds in nanoseconds.
func ns(ps uint64) float64 { return float64(ps) / 1000 }

func (c *Comp) newStats() *stats.Group {
	m := c.m
	a, n := &m.acct, &m.count
	g := stats.NewGroup(c.Name())
	g.Value("total_cycles", stats.Cycle, "Cycles of the host until the last host task was done.", func() (float64, bool) {
		k := m.host.clock
		return float64(k.Cycles(m.now, 1_000_000_000_000)), m.now > 0
	})
	span := func(name, text string, ps *uint64) {
		g.Value(name, stats.NS, text, func() (float64, bool) { return ns(*ps), true })
	}
	span("run_time", "Time until the last host task was done.", &m.now)
	span("device_busy_time", "Time with at least one unit of the device at work.", &a.device[deviceBusy])
	span("device_idle_launch_time", "Time in which the device had no kernel.", &a.device[deviceLaunch])
	span("device_idle_done_time", "Time in which the device had done a kernel and the host had not consumed its results.", &a.device[deviceDone])
	span("host_busy_time", "Time with at least one unit of the host at work.", &a.host[hostBusy])
	span("host_idle_load_time", "Time in which the host loaded results and did nothing else (rp, bs).", &a.host[hostLoad])
	span("host_idle_notice_time", "Time in which results were there and the host did not know yet.", &a.host[hostSeen])
	span("host_idle_device_time", "Time in which the host waited for the device to compute.", &a.host[hostDevice])
	span("host_idle_transfer_time", "Time in which the host waited for results of a device that was done: preparation, link, signalling, a full ring.", &a.host[hostTransfer])
	span("host_idle_launch_time", "Time in which the host waited for a launch to reach the device.", &a.host[hostLaunch])
	part := func(name, text string, idle func() uint64) {
		g.Value(name, stats.Percent, text, func() (float64, bool) { return 100 * float64(idle()) / float64(max(1, m.now)), m.now > 0 })
	}
	part("device_idle", "Share of the time with no unit of the device at work.", func() uint64 { return m.now - a.device[deviceBusy] })
	part("host_idle", "Share of the time with no unit of the host at work.", func() uint64 { return m.now - a.host[hostBusy] })
	part("device_utilization", "Share of all units' time in which the device's worked.", func() uint64 { return n.deviceBusy / uint64(m.device.units) })
	part("host_utilization", "Share of all units' time in which the host's worked.", func() uint64 { return n.hostBusy / uint64(m.host.units) })
	part("backpressure", "Share of the time in which results waited for room in the ring.", func() uint64 { return a.blocked })
	g.Count("launches", stats.One, "Kernels launched.", &n.launches)
	g.Count("device_tasks", stats.One, "Tasks done by the device.", &n.tasks)
	g.Count("host_tasks", stats.One, "Host tasks done, work ahead of launches left out.", &n.hostTasks)
	g.Count("result_bytes", stats.Byte, "Bytes of results.", &n.results)
	g.Count("streamed_bytes", stats.Byte, "Bytes that went to the host: results, whole slots and metadata where they stream.", &n.streamed)
	streams := m.spec.Protocol.streams()
	only := func(name string, unit stats.Unit, text string, ok bool, v *uint64) {
		g.Value(name, unit, text, func() (float64, bool) { return float64(*v), ok })
	}
	only("dma_requests", stats.Request, "DMA requests of the device.", streams, &n.requests)
	only("head_stores", stats.Request, "Heads that the host has returned.", streams, &n.heads)
	only("ring_slots_peak", stats.One, "Most slots that were taken, as the device saw them.", streams, &n.fill)
	only("remote_polls", stats.Request, "Polls over the link.", m.spec.Protocol == RemotePolling, &n.polls)
	only("interrupts", stats.Request, "Interrupts.", m.spec.Protocol == Interrupt, &n.interrupts)

	if m.wire != nil {
		for d, to := range []string{"device", "host"} {
			count := &m.wire.link.Count[d]
			g.Value("flits_to_"+to, stats.Flit, "Flits to the "+to+", those for credits and Acks included, replays not.", func() (float64, bool) { return float64(count.Flits + count.Control), true })
			g.Value("flits_replayed_to_"+to, stats.Flit, "Flits to the "+to+" that were sent again.", func() (float64, bool) { return float64(count.Replayed), true })
		}
	}

	adds := func(parts []uint64) error {
		sum := uint64(0)
		for _, p := range parts {
			sum += p
		}
		if sum != m.now {
			return fmt.Errorf("%d ps of %d", sum, m.now)
		}
		return nil
	}
	g.Check("the device's times add up to the run", func() error { return adds(a.device[:]) })
	g.Check("the host's times add up to the run", func() error { return adds(a.host[:]) })
	g.Check("every result is consumed", func() error {
		if streams && m.hst.unseen+m.dev.ready.len()+m.dev.sent.len() > 0 {
			return fmt.Errorf("%d are not seen, %d wait, %d are on their way", m.hst.unseen, m.dev.ready.len(), m.dev.sent.len())
		}
		return nil
	})
	return g
}

// Layers is a row per phase.
func (c *Comp) Layers() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "layer", Text: "Name of the phase."},
		{Name: "start", Unit: stats.NS, Text: "When its first launch began."},
		{Name: "end", Unit: stats.NS, Text: "When its last launch was done."},
		{Name: "launches", Unit: stats.One, Text: "Kernels launched."},
		{Name: "result_bytes", Unit: stats.Byte, Text: "Bytes of results."},
		{Name: "device_busy_time", Unit: stats.NS, Text: "Time with at least one unit of the device at work."},
		{Name: "host_busy_time", Unit: stats.NS, Text: "Time with at least one unit of the host at work."},
		{Name: "host_load_time", Unit: stats.NS, Text: "Time in which the host loaded results and did nothing else."},
		{Name: "backpressure_time", Unit: stats.NS, Text: "Time in which results waited for room in the ring."},
	}}
	for i := range c.m.rows {
		r := &c.m.rows[i]
		if !r.ended {
			continue
		}
		t.Append(r.name, ns(r.start), ns(r.end), int64(r.counted.launches), r.counted.results,
			ns(r.from.device[deviceBusy]), ns(r.from.host[hostBusy]), ns(r.from.host[hostLoad]), ns(r.from.blocked))
	}
	return t
}
