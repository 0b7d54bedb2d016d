package dram

// Energies are in pJ, of all chips of a channel.
//
// Source: Micron TN-40-07 and TN-46-03, Calculating Memory System Power. An
// activation is IDD0 over tRC less what the chip draws anyway; a burst is IDD4
// less IDD3N over its beats; a refresh is IDD5B less IDD3N over tRFC; the
// background is IDD3N while a row is open and IDD2N otherwise. Left out: power
// down, self refresh, VPP, and what the pins draw at the far end.
type Energies struct {
	Activate, Read, Write, Refresh, Background float64
}

// Total is the sum.
func (e Energies) Total() float64 {
	return e.Activate + e.Read + e.Write + e.Refresh + e.Background
}

// Energy is what a channel took in the first clocks; ok is false for grades
// without currents.
func (g *Grade) Energy(n *Counters, clocks int64) (e Energies, ok bool) {
	if g.Current == nil {
		return e, false
	}
	v := &g.Current.Values
	t := func(name string) float64 { return float64(g.Timing[name]) }
	// mA x V x ns = pJ
	pj := v.VDD * g.Clock.Nanoseconds(1) * float64(g.Organisation.Width) / float64(g.Organisation.Device)
	count := func(cs ...Command) float64 {
		sum := uint64(0)
		for _, c := range cs {
			sum += n.Commands[c]
		}
		return float64(sum)
	}
	e.Activate = pj * count(ACT) * (v.IDD0*t("RC") - v.IDD3N*t("RAS") - v.IDD2N*(t("RC")-t("RAS")))
	e.Read = pj * count(RD, RDA) * (v.IDD4R - v.IDD3N) * t("BL")
	e.Write = pj * count(WR, WRA) * (v.IDD4W - v.IDD3N) * t("BL")
	e.Refresh = pj * count(REF) * (v.IDD5B - v.IDD3N) * t("RFC")
	open := float64(n.OpenClocks)
	e.Background = pj * (open*v.IDD3N + (float64(clocks)*float64(g.Organisation.Ranks)-open)*v.IDD2N)
	return e, true
}
