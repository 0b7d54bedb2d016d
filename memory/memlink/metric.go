package memlink

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
)

// counters are in requests, bytes and ps.
type counters struct {
	memory.Traffic
	operations, packets uint64
	moved               [2]uint64 // data on the link, of reads and of writes
	loads, stores       uint64    // answered
	loadTime, storeTime uint64
	last                uint64
	ended               uint64 // operations
	total               uint64 // latency of them
	parts               [parts]uint64
}

func index(write bool) int {
	if write {
		return 1
	}
	return 0
}

// done notes an operation.
func (n *counters) done(p *[parts]uint64, latency uint64) {
	n.ended++
	n.total += latency
	for i, x := range p {
		n.parts[i] += x
	}
}

func (c *Comp) newStats() *stats.Group {
	n := &c.count
	g := stats.NewGroup(c.Name())
	g.Count("reads", stats.Request, "Reads that came.", &n.Reads)
	g.Count("writes", stats.Request, "Writes that came.", &n.Writes)
	g.Count("read_bytes", stats.Byte, "Bytes of the reads.", &n.ReadBytes)
	g.Count("write_bytes", stats.Byte, "Bytes of the writes.", &n.WriteBytes)
	g.Count("operations", stats.Request, "Operations that they were cut into.", &n.operations)
	g.Count("packets", stats.Request, "Packets on the link, both ways.", &n.packets)
	mean := func(name, text string, sum, of *uint64) {
		g.Value(name, stats.NS, text, func() (float64, bool) {
			return float64(*sum) / float64(max(*of, 1)) / 1000, *of > 0
		})
	}
	mean("load_latency_mean", "Mean time from a read's arrival to its answer.", &n.loadTime, &n.loads)
	mean("store_latency_mean", "Mean time from a write's arrival to its answer.", &n.storeTime, &n.stores)
	mean("operation_latency_mean", "Mean time from an operation's beginning, with its request, to its end.", &n.total, &n.ended)
	for i, name := range partNames {
		mean("operation_latency_"+name, "Part of operation_latency_mean: "+partTexts[i]+".", &n.parts[i], &n.ended)
	}
	g.Value("bandwidth", stats.GBps, "Bytes of reads and writes over the time of the last answer.", func() (float64, bool) {
		return float64(n.ReadBytes+n.WriteBytes) / float64(max(n.last, 1)) * 1000, n.last > 0
	})
	for _, x := range []struct {
		name  string
		lanes *lanes
		write bool
		text  string
	}{{"request", &c.down, true, "away from the requester"}, {"response", &c.up, false, "back to it"}} {
		bytes := func() float64 { return float64(x.lanes.flits()) * float64(c.spec.Flit.Size) }
		g.Value(x.name+"_flits", stats.Flit, "Flits "+x.text+".", func() (float64, bool) { return float64(x.lanes.flits()), true })
		g.Value(x.name+"_bytes", stats.Byte, "Bytes on the wire "+x.text+", headers and empty places included.", func() (float64, bool) { return bytes(), true })
		g.Value(x.name+"_efficiency", stats.Percent, "Share of data in the bytes "+x.text+".", func() (float64, bool) {
			return 100 * float64(n.moved[index(x.write)]) / max(bytes(), 1), n.moved[index(x.write)] > 0
		})
	}
	for way, name := range [2]string{"request", "response"} {
		if x := &c.gates[way]; x.limited {
			g.Count(name+"_credit_waits", stats.Request, "Packets that waited for a credit, "+[2]string{"away from the requester.", "back to it."}[way], &x.held)
			g.Value(name+"_credit_wait_mean", stats.NS, "Mean time that they waited, of all packets that did.", func() (float64, bool) {
				return float64(x.wait) / float64(max(x.held, 1)) / 1000, x.held > 0
			})
		}
	}
	if perBit, ok, _ := c.spec.Energy.PerBit(); ok { // checked
		g.Value("energy", stats.PJ, "Energy of the bits on the wires, both ways, by a figure per bit.", func() (float64, bool) {
			return perBit * 8 * float64(c.spec.Flit.Size) * float64(c.down.flits()+c.up.flits()), true
		})
		c.assumptions = []string{fmt.Sprintf("Energy of %s is %.4g pJ per bit on the wires (%s); idle links are not in it.", c.Name(), perBit, c.spec.Energy.Source())}
	}
	g.Check("every request is answered", func() error {
		if n.loads != n.Reads || n.stores != n.Writes || c.requests.Taken() > 0 || c.operations.Taken() > 0 || c.packets.Taken() > 0 {
			return fmt.Errorf("%d reads and %d writes, %d and %d answered, %d operations and %d packets under way", n.Reads, n.Writes, n.loads, n.stores, c.operations.Taken(), c.packets.Taken())
		}
		return nil
	})
	g.Check("parts add up to latency", func() error {
		sum := uint64(0)
		for _, x := range n.parts {
			sum += x
		}
		if sum != n.total || n.ended != n.operations {
			return fmt.Errorf("parts %d ps, latency %d ps, %d of %d operations ended", sum, n.total, n.ended, n.operations)
		}
		return nil
	})
	return g
}

var partTexts = [parts]string{
	"waiting for a place among the outstanding", "software, and waiting for a thread", "the way to the link, and the interval",
	"the link away from the requester, and waiting for a credit", "from the far end to the memory and back", "the memory behind the link, whose wire included",
	"the link back, and waiting for a credit", "the way to the requester",
}
