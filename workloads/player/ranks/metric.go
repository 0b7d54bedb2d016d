package ranks

import (
	"fmt"
	"sync/atomic"

	"github.com/causeway-sim/causeway/components/stats"
)

func (c *Comp) newStats() *stats.Group {
	n := &c.count
	g := stats.NewGroup(c.Name())
	g.Count("total_cycles", stats.Cycle, "Cycles until the last operation of the last rank.", &n.last)
	g.Value("total_time", stats.NS, "Time until the last operation of the last rank.", func() (float64, bool) {
		return c.Clock().Nanoseconds(n.last), true
	})
	g.Value("time", stats.NS, "Time of one step of the pattern, of a ping_pong one way; of a trace the time until the last operation of the last rank.", func() (float64, bool) {
		if c.program == nil {
			return 0, false
		}
		return c.Clock().Nanoseconds(n.last) / float64(max(1, c.program.Parts)), true
	})
	g.Value("ranks", stats.One, "Ranks of the program.", func() (float64, bool) { return float64(len(c.ranks)), true })
	g.Count("messages", stats.Request, "Messages sent, those of collectives included, control messages not.", &n.messages)
	g.Count("message_bytes", stats.Byte, "Bytes of these messages.", &n.bytes)
	g.Count("control_messages", stats.Request, "Requests and grants of long messages, and acknowledgements.", &n.control)
	g.Count("collectives", stats.One, "Collectives carried out.", &n.collectives)
	g.Value("bus_bandwidth", stats.GBps, "Bytes that the collectives bring through each rank's interface each way, as NCCL's tests count them, over total_time; of a program of collectives of all ranks alone.", func() (float64, bool) {
		bytes, ok := c.busBytes()
		return bytes / c.Clock().Nanoseconds(max(n.last, 1)), ok && n.last > 0
	})
	g.Value("bound_share", stats.Percent, "Time in which these bytes pass the slowest of the ranks' channels to the network, over total_time.", func() (float64, bool) {
		ns, ok := c.boundTime()
		return 100 * ns / c.Clock().Nanoseconds(max(n.last, 1)), ok && n.last > 0
	})
	g.Value("unexpected_messages_max", stats.Request, "Most messages that waited for their receive at a time, of all ranks together.", func() (float64, bool) {
		return float64(uint64(c.match.Most()) * n.times), true
	})
	g.Value("message_latency_mean", stats.NS, "Mean time from the start of a send of the program to the end of its receive.", func() (float64, bool) {
		return c.Clock().Nanoseconds(1) * float64(n.latencySum) / float64(n.matched), n.matched > 0
	})
	g.Value("message_latency_max", stats.NS, "Greatest time from the start of a send of the program to the end of its receive.", func() (float64, bool) {
		return c.Clock().Nanoseconds(n.latencyMax), n.matched > 0
	})
	for _, v := range []struct {
		name, text string
		of         func(r *rank) uint64
	}{
		{"finish_time", "Time until a rank ended", func(r *rank) uint64 { return r.finish }},
		{"compute_time", "Time in which a rank computed", (*rank).computing},
		{"wait_time", "Time until a rank ended in which it computed nothing", func(r *rank) uint64 { return r.finish - min(r.finish, r.computing()) }},
	} {
		g.Value(v.name+"_mean", stats.NS, v.text+", mean of ranks.", func() (float64, bool) {
			sum := 0.0
			for i := range c.ranks {
				sum += float64(v.of(c.simulated(i)))
			}
			return c.Clock().Nanoseconds(1) * sum / float64(len(c.ranks)), true
		})
		g.Value(v.name+"_max", stats.NS, v.text+", greatest of ranks.", func() (float64, bool) {
			most := uint64(0)
			for i := range c.ranks {
				most = max(most, v.of(c.simulated(i)))
			}
			return c.Clock().Nanoseconds(most), true
		})
	}
	if byte, watts, ok, _ := c.spec.NIC.Energy.Figures(); ok { // checked
		c.rest.Declare(g, "Energy of the ranks' interfaces, by byte sent and at rest; hosts and their memory are not in it.", func() float64 {
			c.rest.Watts = watts * float64(len(c.ranks))
			sum := 0.0
			for i := range c.ranks {
				sum += byte * float64(c.simulated(i).nic.bytes)
			}
			return sum
		})
	}
	g.Check("every message sent has come", func() error {
		if n.onNetwork != n.received {
			return fmt.Errorf("%d messages sent, %d received", n.onNetwork, n.received)
		}
		return nil
	})
	g.Check("every message is received", func() error {
		if c.match.Early() > 0 {
			return fmt.Errorf("%d messages for which there is no receive", c.match.Early())
		}
		return nil
	})
	return g
}

// Layers returns a table with a row per rank.
func (c *Comp) Layers() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "rank", Unit: stats.One, Text: "Number of the rank."},
		{Name: "port", Unit: stats.One, Text: "Port it has, which is its terminal where all are linked in order."},
		{Name: "finish_time", Unit: stats.NS, Text: "Time of the end of its last operation."},
		{Name: "compute_time", Unit: stats.NS, Text: "Time in which its busiest unit computed."},
		{Name: "wait_time", Unit: stats.NS, Text: "The rest of its time."},
		{Name: "messages", Unit: stats.Request, Text: "Messages it put on its link."},
		{Name: "bytes", Unit: stats.Byte, Text: "Their bytes."},
	}}
	for i := range c.ranks {
		r := c.simulated(i)
		port := int64(-1)
		if c.port != nil {
			port = int64(c.port[i])
		}
		ns := c.Clock().Nanoseconds
		t.Append(int64(i), port, ns(r.finish), ns(r.computing()), ns(r.finish-min(r.finish, r.computing())), r.nic.messages, r.nic.bytes)
	}
	return t
}

// counters of a whole run, in messages, bytes and cycles.
type counters struct {
	ops         uint64
	done        atomic.Uint64
	last        uint64 // cycle of the last end
	messages    uint64 // of programs and collectives
	bytes       uint64
	control     uint64 // requests, grants, acknowledgements
	onNetwork   uint64
	received    uint64
	collectives uint64
	matched     uint64 // messages of the program that met their receive
	latencySum  uint64
	latencyMax  uint64
	times       uint64 // ranks that a simulated one stands for
}

func (n *counters) sent(m *Message) {
	n.onNetwork += n.times
	switch m.kind {
	case request, grant, ack:
		n.control += n.times
	case piece, segment: // counted with its message
	default:
		n.messages += n.times
		n.bytes += n.times * m.Bytes
	}
}

func (n *counters) latency(cycles uint64) {
	n.matched += n.times
	n.latencySum += n.times * cycles
	n.latencyMax = max(n.latencyMax, cycles)
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	if _, _, ok, _ := c.spec.NIC.Energy.Figures(); ok {
		return []string{c.spec.NIC.EnergyAssumption(c.Name())}
	}
	return nil
}

// LastActivity implements system.Rester.
func (c *Comp) LastActivity() float64 { return c.Clock().Nanoseconds(c.count.last) }

// RestUntil implements system.Rester.
func (c *Comp) RestUntil(ns float64) { c.rest.Until(ns) }
