package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// overTime is the energy of planned steps and of the chip at rest over time, and the clock of planned steps. Those of
// operators are in the table of operators.
type overTime struct {
	active, static *stats.TimeSeries
	busy, clocked  *stats.TimeSeries
}

func (o *overTime) declare(g *stats.Group) {
	without := func() float64 { return 0 }
	g.TimeSeries("active_energy", stats.PJ, "Energy beyond that of the chip at rest.", without, &o.active)
	g.TimeSeries("static_energy", stats.PJ, "Energy of the chip at rest.", without, &o.static)
	g.TimeSeries("busy_time", stats.NS, "Time in which the chip works.", without, &o.busy)
	g.TimeSeries("clocked_time", stats.NS, "That time, times the clock over the full one.", without, &o.clocked)
}

// step adds a planned step that begins at now, in ns.
func (o *overTime) step(now float64, x work.Cost, idle float64) {
	ns := float64(x.Time) / float64(units.Nanosecond)
	o.active.Add(x.Energy-idle*ns*1e3, now, now+ns)
	o.busy.Add(ns, now, now+ns)
	o.clocked.Add(x.Clock*ns, now, now+ns)
}
