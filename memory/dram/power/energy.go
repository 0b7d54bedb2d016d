package power

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Energies are in pJ, of all chips of a channel. A part without a source is NaN.
//
// Source: Micron TN-40-07 and TN-46-03, Calculating Memory System Power. An
// activation is IDD0 over tRC less what the chip draws anyway; a burst is IDD4
// less IDD3N over its beats; a refresh is IDD5B less IDD3N over tRFC; the
// background is IDD3N while a row is open and IDD2N otherwise.
//
// IDD3N of DDR5 is drawn with all banks open (JESD79-5, table of IDD conditions)
// and so much above IDD2N that an activation computed so would have negative energy.
// There (Current.PerBank) an open bank draws its share, as in Chandrasekar et al.,
// DRAMPower: the background is IDD2N and a share for every open bank, an
// activation is IDD0 over tRC less one share over tRAS and IDD2N over tRC, and a
// refresh, before which all banks are closed, is IDD5B less IDD2N. With Current.Rho a part of
// IDD3N less IDD2N is drawn with the first open bank, and the rest so.
//
// A refresh of some of the banks takes as much per row as one of all, RFM as much as a refresh. In
// power-down a rank draws IDD2P, or IDD3P with rows open. A self-refresh begins with a refresh and
// draws IDD6 after that, as in DRAMPower 5. Where a current is not stated, the rank draws what it draws awake.
// Left out: VPP and VDD1, and what the pins draw (VDDQ).
type Energies struct {
	Activate, Read, Write, Refresh, Background float64
}

// Total returns the sum of the parts with a source; Unknown lists the others.
func (e Energies) Total() (sum float64) {
	for _, p := range Parts {
		if v := p.Of(&e); !math.IsNaN(v) {
			sum += v
		}
	}
	return sum
}

// Unknown lists the parts without a source.
func (e Energies) Unknown() (out []string) {
	for _, p := range Parts {
		if math.IsNaN(p.Of(&e)) {
			out = append(out, p.Name)
		}
	}
	return out
}

// Parts are the parts of an energy, in the order in which they are added up.
var Parts = []struct {
	Name, Text string
	Of         func(*Energies) float64
}{
	{"activate", "Energy of opening and closing rows.", func(e *Energies) float64 { return e.Activate }},
	{"read", "Energy of reading.", func(e *Energies) float64 { return e.Read }},
	{"write", "Energy of writing.", func(e *Energies) float64 { return e.Write }},
	{"refresh", "Energy of refresh.", func(e *Energies) float64 { return e.Refresh }},
	{"background", "Energy of standing by.", func(e *Energies) float64 { return e.Background }},
}

// Counts are what the energy of a channel depends on.
type Counts struct {
	Commands   [standard.Commands]uint64
	OpenClocks uint64         // summed over ranks that are awake: clocks with a row open
	BankClocks uint64         // summed over their banks: clocks with a row open
	Resting    [States]uint64 // summed over ranks: clocks in each state but Awake
}

// Add adds what another counted.
func (n *Counts) Add(o *Counts) {
	for k := range o.Commands {
		n.Commands[k] += o.Commands[k]
	}
	for k := range o.Resting {
		n.Resting[k] += o.Resting[k]
	}
	n.OpenClocks += o.OpenClocks
	n.BankClocks += o.BankClocks
}

// Energy returns the energy of a channel in its first clocks; ok is false for grades without
// published figures.
func (n *Counts) Energy(g *standard.Grade, clocks int64) (e Energies, ok bool) {
	switch {
	case g.Current != nil:
		return n.fromCurrents(g, clocks), true
	case g.Figures != nil:
		bits := float64(8 * g.Organisation.Burst())
		if x := g.Organisation.Extra; x > 0 {
			bits *= float64(g.Organisation.Width+x) / float64(g.Organisation.Width)
		}
		if pj := g.Figures.Stream; pj > 0 {
			e = Energies{Activate: math.NaN(), Refresh: math.NaN(), Background: math.NaN()}
			e.Read = pj * bits * n.count(standard.RD, standard.RDA)
			e.Write = pj * bits * n.count(standard.WR, standard.WRA)
			return e, true
		}
		e = Energies{Refresh: math.NaN(), Background: math.NaN()}
		e.Activate = g.Figures.Activate * n.count(standard.ACT)
		e.Read = g.Figures.Read * bits * n.count(standard.RD, standard.RDA)
		e.Write = g.Figures.Write * bits * n.count(standard.WR, standard.WRA)
		return e, true
	}
	return e, false
}

func (n *Counts) fromCurrents(g *standard.Grade, clocks int64) (e Energies) {
	v, o := &g.Current.Values, &g.Organisation
	ns := g.Clock.Nanoseconds(1)
	t := func(name string) float64 { return ns * float64(g.Timing[name]) }
	pj := v.VDD * float64(o.Width+o.Extra) / float64(o.Device) // mA x V x ns = pJ
	burst := t("BL")
	if g.Current.Rate > 0 {
		burst = float64(o.Beats) * 1e3 / g.Current.Rate
	}
	banks := float64(o.Groups * o.Banks)
	opening, refreshing := v.IDD3N, v.IDD3N // what is drawn meanwhile anyway
	open := float64(n.OpenClocks) * (v.IDD3N - v.IDD2N)
	if g.Current.PerBank {
		share := (v.IDD3N - v.IDD2N) / banks
		opening, refreshing = v.IDD2N+share, v.IDD2N
		open = float64(n.BankClocks) * share
	}
	if g.Current.Rho != nil {
		first := *g.Current.Rho * (v.IDD3N - v.IDD2N)
		share := (v.IDD3N - v.IDD2N - first) / banks
		opening, refreshing = v.IDD2N+first+share, v.IDD2N
		open = float64(n.OpenClocks)*first + float64(n.BankClocks)*share
	}
	e.Activate = pj * n.count(standard.ACT) * (v.IDD0*t("RC") - opening*t("RAS") - v.IDD2N*(t("RC")-t("RAS")))
	e.Read = pj * n.count(standard.RD, standard.RDA) * (v.IDD4R - v.IDD3N) * burst
	e.Write = pj * n.count(standard.WR, standard.WRA) * (v.IDD4W - v.IDD3N) * burst
	refreshes := n.count(standard.REF, standard.RFM, standard.SRE) + n.count(standard.REFS, standard.RFMS)/float64(o.Banks) + n.count(standard.REFB, standard.RFMB)/banks
	e.Refresh = pj * refreshes * (v.IDD5B - refreshing) * t("RFC")
	e.Background = pj * ns * (open + float64(clocks)*float64(o.Ranks)*v.IDD2N)
	for s, c := range resting(g.Current) {
		if n.Resting[s] > 0 {
			e.Background += pj * ns * float64(n.Resting[s]) * (c - v.IDD2N)
		}
	}
	return e
}

// resting is the currents of the states of rest.
func resting(c *standard.Current) [States]float64 {
	v := &c.Values
	or := func(a, b float64) float64 {
		if a > 0 {
			return a
		}
		return b
	}
	fast := or(v.IDD2P, v.IDD2N)
	return [States]float64{Awake: v.IDD2N, ActiveDown: or(v.IDD3P, v.IDD3N), Down: fast, SlowDown: or(v.IDD2PS, fast), SelfRefresh: or(v.IDD6, v.IDD2N)}
}

// count is how many of some commands there were.
func (n *Counts) count(cs ...standard.Command) float64 {
	sum := uint64(0)
	for _, c := range cs {
		sum += n.Commands[c]
	}
	return float64(sum)
}

// Assumed says what the energies of a grade leave out, and of what memory they were published; rests: ranks go
// to power-down or self-refresh.
func Assumed(g *standard.Grade, rests bool) (out []string) {
	e, ok := new(Counts).Energy(g, 0)
	if !ok {
		return nil
	}
	if c := g.Current; rests && c != nil && min(c.Values.IDD2P, c.Values.IDD3P, c.Values.IDD6) == 0 {
		out = append(out, fmt.Sprintf("Energy of grade %s counts power-down and self-refresh as standing by: no currents of these are known here.", g.Name))
	}
	f := g.Figures
	if f != nil && f.Like != "" {
		out = append(out, fmt.Sprintf("Energies of grade %s are those of %s: nothing better is published.", g.Name, f.Like))
	}
	switch missing := e.Unknown(); {
	case f != nil && f.Stream > 0:
		out = append(out, fmt.Sprintf("Energy of grade %s is by bits, as published of streams: their share of rows and refresh is in it, whatever the pattern.", g.Name))
	case len(missing) > 0:
		out = append(out, fmt.Sprintf("Energy of grade %s is without %s, for which nothing is published.", g.Name, strings.Join(missing, " and ")))
	}
	return out
}
