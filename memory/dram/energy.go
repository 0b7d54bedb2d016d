package dram

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
// refresh, before which all banks are closed, is IDD5B less IDD2N.
//
// A refresh of some of the banks takes as much per row as one of all, RFM as much as a refresh. Left out:
// power down, self refresh, VPP and VDD1, and what the pins draw (VDDQ).
type Energies struct {
	Activate, Read, Write, Refresh, Background float64
}

// Total returns the sum of the parts with a source; Unknown lists the others.
func (e Energies) Total() (sum float64) {
	for _, p := range parts {
		if v := p.of(&e); !math.IsNaN(v) {
			sum += v
		}
	}
	return sum
}

// Unknown lists the parts without a source.
func (e Energies) Unknown() (out []string) {
	for _, p := range parts {
		if math.IsNaN(p.of(&e)) {
			out = append(out, p.name)
		}
	}
	return out
}

// parts are the parts of an energy, in the order in which they are added up.
var parts = []struct {
	name, text string
	of         func(*Energies) float64
}{
	{"activate", "Energy of opening and closing rows.", func(e *Energies) float64 { return e.Activate }},
	{"read", "Energy of reading.", func(e *Energies) float64 { return e.Read }},
	{"write", "Energy of writing.", func(e *Energies) float64 { return e.Write }},
	{"refresh", "Energy of refresh.", func(e *Energies) float64 { return e.Refresh }},
	{"background", "Energy of standing by.", func(e *Energies) float64 { return e.Background }},
}

// Energy returns the energy of a channel in its first clocks; ok is false for grades without
// published figures.
func (n *Counters) Energy(g *standard.Grade, clocks int64) (e Energies, ok bool) {
	switch {
	case g.Current != nil:
		return n.fromCurrents(g, clocks), true
	case g.Figures != nil:
		bits := float64(8 * g.Organisation.Burst())
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

func (n *Counters) fromCurrents(g *standard.Grade, clocks int64) (e Energies) {
	v, o := &g.Current.Values, &g.Organisation
	ns := g.Clock.Nanoseconds(1)
	t := func(name string) float64 { return ns * float64(g.Timing[name]) }
	pj := v.VDD * float64(o.Width) / float64(o.Device) // mA x V x ns = pJ
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
	e.Activate = pj * n.count(standard.ACT) * (v.IDD0*t("RC") - opening*t("RAS") - v.IDD2N*(t("RC")-t("RAS")))
	e.Read = pj * n.count(standard.RD, standard.RDA) * (v.IDD4R - v.IDD3N) * burst
	e.Write = pj * n.count(standard.WR, standard.WRA) * (v.IDD4W - v.IDD3N) * burst
	refreshes := n.count(standard.REF, standard.RFM) + n.count(standard.REFS, standard.RFMS)/float64(o.Banks) + n.count(standard.REFB, standard.RFMB)/banks
	e.Refresh = pj * refreshes * (v.IDD5B - refreshing) * t("RFC")
	e.Background = pj * ns * (open + float64(clocks)*float64(o.Ranks)*v.IDD2N)
	return e
}

// count is how many of some commands there were.
func (n *Counters) count(cs ...standard.Command) float64 {
	sum := uint64(0)
	for _, c := range cs {
		sum += n.Commands[c]
	}
	return float64(sum)
}

// energyAssumed says what the energies of a grade leave out, and of what memory they were published.
func energyAssumed(g *standard.Grade) (out []string) {
	e, ok := new(Counters).Energy(g, 0)
	if !ok {
		return nil
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
