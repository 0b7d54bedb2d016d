package standard_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// families are the standards that have a timing, by the start of the document's name; all of
// them where there is none. A document that is not named here may have any timing of the table.
var families = map[string]string{
	"BL": "", "CL": "", "CWL": "", "FAW": "", "RAS": "", "RC": "", "REFI": "", "RFC": "", "RP": "", "RTP": "", "WR": "",
	"CCD":   "JESD79-3 JESD209-4 JESD239",
	"CCD_L": "JESD79-4 JESD79-5 JESD209-5 JESD235 JESD238 JESD209-6 JESD250 JESD270", "CCD_S": "JESD79-4 JESD79-5 JESD209-5 JESD235 JESD238 JESD209-6 JESD250 JESD270",
	"CCD_L_WR": "JESD79-5",
	"CS":       "JESD79-3 JESD79-4 JESD79-5 JESD209-4 JESD209-5 JESD209-6", // assumption: clocks between the data of ranks
	"DQSCK":    "JESD209-4", "LEAD": "JESD209-4 JESD239",
	"PBR_ACT": "JESD209-5 JESD209-6", "PBR_PBR": "JESD209-5 JESD209-6",
	"PPD": "JESD79-5 JESD209-4 JESD209-5 JESD238 JESD209-6 JESD239 JESD250 JESD270",
	"RCD": "JESD79-3 JESD79-4 JESD79-5 JESD209-4 JESD209-5", "RCDRD": "JESD235 JESD238 JESD209-6 JESD239 JESD250 JESD270", "RCDWR": "JESD235 JESD238 JESD209-6 JESD239 JESD250 JESD270",
	"REFI_B": "JESD209-4 JESD209-5 JESD235 JESD238 JESD209-6 JESD239 JESD250 JESD270", "RFC_B": "JESD209-4 JESD209-5 JESD235 JESD238 JESD209-6 JESD239 JESD250 JESD270",
	"REFI_S": "JESD79-5", "RFC_S": "JESD79-5", "REFS_RRD": "JESD79-5",
	"CCD_R": "JESD270", "CCD_SB": "JESD239", "RPD": "JESD239", "WTR_SB": "JESD239",
	"RPA": "JESD209-4 JESD209-5 JESD209-6",
	"RRD": "JESD79-3 JESD209-4 JESD209-5 JESD209-6 JESD239", "RRD_L": "JESD79-4 JESD79-5 JESD235 JESD238 JESD250 JESD270", "RRD_S": "JESD79-4 JESD79-5 JESD235 JESD238 JESD250 JESD270",
	"RREFD": "JESD235 JESD238 JESD239 JESD250 JESD270", "RTW": "JESD238 JESD209-6 JESD270",
	"WTR": "JESD79-3 JESD209-4 JESD239",
	"PD":  "", "PDEN": "", "SR": "", "XP": "", "CKE": "JESD79-3 JESD79-4", "XPDLL": "JESD79-3", "XSDLL": "JESD79",
	"XS":    "JESD79-3 JESD79-4 JESD209 JESD235 JESD238 JESD239 JESD250 JESD270",
	"WTR_L": "JESD79-4 JESD79-5 JESD209-5 JESD235 JESD238 JESD209-6 JESD250 JESD270", "WTR_S": "JESD79-4 JESD79-5 JESD209-5 JESD235 JESD238 JESD209-6 JESD250 JESD270",
}

// between are the timings that may stand between two kinds of commands. What is not here is no
// rule of DRAM: a read does not wait for a precharge of its own, for example.
var between = map[string]string{
	"ACT ACT": "RC RRD RRD_L RRD_S FAW", "ACT PRE": "RAS", "ACT RD": "RCD RCDRD", "ACT WR": "RCD RCDWR", "ACT REF": "RC RRD RRD_L RRD_S",
	"PRE ACT": "RP RPA RPD", "PRE PRE": "PPD", "PRE REF": "RP RPA RPD",
	"RD RD": "BL CCD CCD_L CCD_R CCD_S CCD_SB CS", "RD WR": "BL CCD CL CS CWL DQSCK RTW", "RD PRE": "RTP", "RD ACT": "RTP RP", "RD REF": "BL CL RTP RP RPA",
	"WR WR": "BL CCD CCD_SB CCD_L CCD_L_WR CCD_S CS", "WR RD": "BL CL CS CWL WTR WTR_L WTR_S WTR_SB", "WR PRE": "BL CWL WR", "WR ACT": "BL CWL WR RP", "WR REF": "BL CWL WR RP RPA",
	"ACT PDE": "PDEN", "PRE PDE": "PDEN", "REF PDE": "PDEN", "RD PDE": "BL CL DQSCK", "WR PDE": "BL CWL WR", "PDE PDX": "PD",
	"PDX ACT": "XP", "PDX PRE": "XP", "PDX REF": "XP", "PDX RD": "XP XPDLL", "PDX WR": "XP XPDLL", "PDX PDE": "CKE XP", "PDX SRE": "XP",
	"PRE SRE": "RP RPA", "REF SRE": "RFC RFC_B RFC_S", "RD SRE": "BL CL DQSCK RP RPA RTP", "WR SRE": "BL CWL WR RP RPA", "SRE SRX": "SR",
	"SRX ACT": "RFC XS", "SRX PRE": "RFC XS", "SRX REF": "RFC XS", "SRX RD": "RFC XS XSDLL", "SRX WR": "RFC XS XSDLL", "SRX PDE": "RFC XS", "SRX SRE": "RFC XS",
	"REF ACT": "PBR_ACT REFS_RRD RFC RFC_B RFC_S RRD RRD_L RREFD", "REF PRE": "RFC RFC_B RFC_S", "REF REF": "PBR_PBR RFC RFC_B RFC_S RREFD",
}

// kindOf is the kind of a command in between: a refresh of one bank is one, and a read that
// closes its row is a read.
func kindOf(c standard.Command) string {
	for _, k := range []string{"ACT", "PRE", "REF", "RFM", "RD", "WR", "PDE", "PDX", "SRE", "SRX"} {
		if strings.HasPrefix(c.String(), k) {
			if k == "RFM" { // which is kept apart as a refresh is
				return "REF"
			}
			return k
		}
	}
	return c.String()
}

// names are the timings of a formula.
func names(formula string) (out []string) {
	for _, w := range strings.Fields(formula) {
		if 'A' <= w[0] && w[0] <= 'Z' {
			out = append(out, w)
		}
	}
	return out
}

// faults are what is wrong with a grade by the rules of all DRAM.
func faults(g *standard.Grade) (out []string) {
	fault := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	t := g.Timing
	document, _, _ := strings.Cut(g.Standard, " ")
	known := func(f string) bool {
		return slices.ContainsFunc(strings.Fields(f), func(d string) bool { return strings.HasPrefix(document, d) })
	}
	filed := false
	for _, f := range families {
		filed = filed || known(f)
	}
	used := map[string]bool{"LEAD": true, "CL": true, "CWL": true, "REFI": true, "REFI_S": true, "REFI_B": true, "DQSCK": true}
	for _, c := range g.Constraints {
		for _, n := range names(c.Formula) {
			used[n] = true
		}
		for _, p := range c.Prev {
			for _, n := range c.Next {
				may, ok := between[kindOf(p)+" "+kindOf(n)]
				if !ok {
					fault("nothing keeps %s from %s", n, p)
				}
				for _, name := range names(c.Formula) {
					if ok && !slices.Contains(strings.Fields(may), name) {
						fault("t%s does not stand between %s and %s", name, p, n)
					}
				}
			}
		}
	}
	for name := range t {
		f, ok := families[name]
		switch {
		case !ok:
			fault("no standard has t%s", name)
		case filed && f != "" && !known(f):
			fault("%s has no t%s", document, name)
		case !used[name]:
			fault("no constraint has t%s", name)
		}
	}
	out = append(out, g.Missing()...)
	for _, x := range []struct {
		least, most int
		words       string
	}{
		{t["RAS"] + t["RP"], t["RC"], "tRC >= tRAS + tRP"},
		{max(t["RCD"], t["RCDRD"]), t["RAS"], "tRAS >= tRCD"},
		{t["CCD_S"], max(t["CCD_L"], t["CCD_S"]), "tCCD_L >= tCCD_S"}, {t["RRD_S"], max(t["RRD_L"], t["RRD_S"]), "tRRD_L >= tRRD_S"},
		{t["WTR_S"], max(t["WTR_L"], t["WTR_S"]), "tWTR_L >= tWTR_S"},
		// in time tFAW is four tRRD at least; each of those may be rounded up by a part of a clock
		{4*max(t["RRD"], t["RRD_S"]) - 3, t["FAW"], "tFAW >= 4 tRRD - 3"},
		{t["RP"], max(t["RPA"], t["RP"]), "tRPA >= tRP"},
		{t["RC"], t["RFC"], "tRFC >= tRC"}, {t["RFC_B"] + t["RFC_S"], t["RFC"], "tRFC of all banks is the longest"},
		{t["RFC"], t["REFI"], "tREFI >= tRFC"}, {t["REFI_B"], t["REFI"], "tREFI of all banks is the longest"},
	} {
		if x.least > x.most {
			fault("%s: %d > %d", x.words, x.least, x.most)
		}
	}
	for _, f := range unkept(g) {
		fault("%s", f)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unkept are the ways of refreshing whose intervals do not keep the cells: 8192 refreshes of all
// banks in 64 ms, or in 32 ms, and each bank as often where banks are refreshed by turns.
func unkept(g *standard.Grade) (out []string) {
	t := g.Timing
	ms := float64(t["REFI"]) * 8192 * float64(g.Clock.Num()) / float64(g.Clock.Den()) * 1000
	if strings.HasPrefix(g.Standard, "JESD250") || strings.HasPrefix(g.Standard, "JESD239") {
		ms *= 2 * 1.953 / 1.9 // 16384 in 32 ms, which data sheets round down to 1.9 us
	}
	if math.Abs(ms-32) > 0.32 && math.Abs(ms-64) > 0.64 {
		out = append(out, fmt.Sprintf("8192 tREFI are %.1f ms, not 32 or 64", ms))
	}
	for _, x := range []struct {
		cmd   standard.Command
		name  string
		turns int
	}{
		{standard.REFS, "REFI_S", g.Organisation.Banks},
		{standard.REFB, "REFI_B", g.Organisation.Groups * g.Organisation.Banks},
	} {
		has := slices.ContainsFunc(g.Constraints, func(c standard.Constraint) bool { return slices.Contains(c.Prev, x.cmd) })
		apart := t[x.name]*x.turns - t["REFI"]
		switch {
		case has != (t[x.name] > 0):
			out = append(out, fmt.Sprintf("%s without t%s, or t%s without %s", x.cmd, x.name, x.name, x.cmd))
		case has && (apart >= x.turns || apart <= -x.turns):
			out = append(out, fmt.Sprintf("%d turns of t%s are %d clocks, tREFI is %d", x.turns, x.name, t[x.name]*x.turns, t["REFI"]))
		}
	}
	return out
}

// Every built-in standard has the constraints of its data sheets and no other.
func TestStandardsKeepTheirContract(t *testing.T) {
	for _, name := range standard.Grades() {
		g, _ := standard.Find(name)
		require.Empty(t, faults(g), name)
	}
}

// A constraint or timing that is made up, misplaced or missing is found.
func TestContractFindsWhatIsMadeUp(t *testing.T) {
	for want, change := range map[string][2]string{
		"nothing keeps RD from PRE":         {`- [bank, ACT, PRE, RAS]`, "- [bank, PRE, RD, RP]\n  - [bank, ACT, PRE, RAS]"},
		"tFAW does not stand between ACT":   {`- [bank, ACT, PRE, RAS]`, `- [bank, ACT, PRE, FAW]`},
		"no constraint of bank between ACT": {`- [bank, ACT, PRE, RAS]`, ``},
		"no standard has tXYZ":              {`RAS:`, `XYZ: 3, RAS:`},
		"JESD79-4D, has no tRREFD":          {`RAS:`, `RREFD: 3, RAS:`},
		"tRC >= tRAS + tRP":                 {`RC: `, `RC: 1, RCX: `},
		"tFAW >= 4 tRRD - 3":                {`FAW: 34`, `FAW: 12`},
		"tREFI are 127.8 ms":                {`REFI: 12480`, `REFI: 24960`},
		"4 turns of tREFI_S are 12480":      {`REFI_S: 2344`, `REFI_S: 3120`},
		"REFS without tREFI_S":              {`REFI_S: 2344, `, ``},
		"REFB without tREFI_B":              {`REFI_B: 243, `, ``},
		"tREFI_B without REFB":              {`REFI: 9360`, `REFI_B: 585, REFI: 9360`},
	} {
		var changed string
		for _, file := range []string{"ddr4", "ddr5", "hbm2"} { // the first in which the text stands
			text, err := os.ReadFile("grades/" + file + ".yaml")
			require.NoError(t, err)
			if changed = strings.Replace(string(text), change[0], change[1], 1); changed != string(text) {
				break
			}
			changed = ""
		}
		require.NotEmpty(t, changed, want)
		gs, err := standard.Read("x.yaml", []byte(changed))
		require.NoError(t, err, want)
		var all []string
		for _, g := range gs {
			all = append(all, faults(g)...)
		}
		require.Contains(t, strings.Join(all, "\n"), want)
	}
}
