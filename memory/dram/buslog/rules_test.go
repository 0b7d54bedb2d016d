package buslog_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A play is commands of one channel, each at the first clock that the rows of the standard allow. It shares
// nothing with the checker but the rows.
type play struct {
	g    *standard.Grade
	done []buslog.Record
}

// reaches reports whether a constraint between two commands at a level is about these two.
func (p *play) reaches(l standard.Level, first, then buslog.Record) bool {
	same := func(scope standard.Level, a, b int) bool {
		for _, r := range []buslog.Record{first, then} {
			if s := p.g.Actions[r.Cmd].Scope; s == standard.WholeRank || s == standard.EveryGroup && scope == standard.GroupLevel {
				return true
			}
		}
		return a == b
	}
	switch {
	case l == standard.ChannelLevel:
		return true
	case l == standard.OtherRanks || first.Rank != then.Rank:
		return l == standard.OtherRanks && first.Rank != then.Rank
	}
	return (l < standard.GroupLevel || same(standard.GroupLevel, first.Group, then.Group)) && (l < standard.BankLevel || same(standard.BankLevel, first.Bank, then.Bank))
}

// ready is the first clock for a command, and by how many rows; of them the last is returned.
func (p *play) ready(r buslog.Record) (at int64, rows int, by *standard.Constraint) {
	for _, d := range p.done { // the command buses
		if slices.Contains(p.g.Column, d.Cmd) == slices.Contains(p.g.Column, r.Cmd) {
			at, rows = max(at, d.At+int64(p.g.Slots[d.Cmd])), 1
		}
	}
	for i := range p.g.Constraints {
		k := &p.g.Constraints[i]
		if !slices.Contains(k.Next, r.Cmd) {
			continue
		}
		n := 0
		for j := len(p.done) - 1; j >= 0; j-- {
			d := p.done[j]
			if !slices.Contains(k.Prev, d.Cmd) || !p.reaches(k.Level, d, r) {
				continue
			}
			if n++; n < k.Window {
				continue
			}
			switch t := d.At + int64(k.Clocks); {
			case t > at:
				at, rows, by = t, 1, k
			case t == at:
				rows, by = rows+1, k
			}
			break
		}
	}
	return at, rows, by
}

// send sends a command as early as possible, and not before a clock.
func (p *play) send(r buslog.Record, from int64) {
	at, _, _ := p.ready(r)
	r.At = max(at, from)
	p.done = append(p.done, r)
}

// open reports whether the bank of a command is open.
func (p *play) open(r buslog.Record) bool {
	state := false
	for _, d := range p.done {
		if a := p.g.Actions[d.Cmd]; a.Leaves != standard.Any && p.reaches(standard.BankLevel, d, r) {
			state = a.Leaves == standard.Opened
		}
	}
	return state
}

// sets sends what a command needs, as early as possible, and not before a clock.
func (p *play) sets(r buslog.Record, from int64) {
	a := p.g.Actions[r.Cmd]
	send := func(c standard.Command) {
		x := r
		x.Cmd = c
		p.send(x, from)
	}
	switch {
	case a.Needs == standard.Opened && !p.open(r):
		send(standard.ACT)
	case a.Needs == standard.Closed && a.Scope == standard.WholeRank && p.any(r.Rank):
		send(standard.PREA)
	case a.Needs == standard.Closed && a.Scope == standard.EveryGroup && p.any(r.Rank):
		send(standard.PRES)
	case a.Needs == standard.Closed && a.Scope == standard.OneBank && p.open(r):
		send(standard.PRE)
	}
	if a.Ends != "" && !slices.ContainsFunc(p.done, func(d buslog.Record) bool { return p.g.Actions[d.Cmd].Begins == a.Ends }) {
		send(map[string]standard.Command{"power-down": standard.PDE, "self-refresh": standard.SRE}[a.Ends])
	}
	if a.Without != "" && slices.ContainsFunc(p.done, func(d buslog.Record) bool { return p.g.Actions[d.Cmd].Sets == a.Without }) {
		send(standard.REF)
	}
}

// any reports whether a bank of a rank is open.
func (p *play) any(rank int) bool {
	for g := range p.g.Organisation.Groups {
		for b := range p.g.Organisation.Banks {
			if p.open(buslog.Record{Rank: rank, Group: g, Bank: b, Cmd: standard.ACT}) {
				return true
			}
		}
	}
	return false
}

// last is the bank of the second command of a constraint.
func last(g *standard.Grade, k *standard.Constraint, next standard.Command) buslog.Record {
	r, o := buslog.Record{Cmd: next}, g.Organisation
	switch {
	case k.Level == standard.OtherRanks:
		r.Rank = 1
	case k.Level == standard.BankLevel:
	case k.Level == standard.GroupLevel || o.Groups == 1:
		r.Bank = o.Banks - 1
	default:
		r.Group = o.Groups - 1
	}
	return r
}

// trace is a trace in which nothing but a row keeps its second command back; nil where another does, too.
func trace(g *standard.Grade, row int, prev, next standard.Command) *play {
	p, k := &play{g: g}, &g.Constraints[row]
	then := last(g, k, next)
	o := g.Organisation
	var firsts []buslog.Record
	for i := range k.Window {
		firsts = append(firsts, buslog.Record{Cmd: prev, Group: i % o.Groups, Bank: i / o.Groups})
	}
	if k.Window > 1 {
		then.Group, then.Bank = k.Window%o.Groups, k.Window/o.Groups
	}
	if g.Actions[next].Needs == standard.Opened && g.Actions[prev].Needs != standard.Closed && prev != standard.SRX {
		p.sets(then, 0) // the row of the second is open before the first
	}
	for _, f := range firsts { // so are rows of the first, long before it
		p.sets(f, 100_000)
	}
	for _, f := range firsts {
		p.send(f, 200_000)
	}
	p.sets(then, 0)
	at, rows, by := p.ready(then)
	if rows != 1 || by != k {
		return nil
	}
	then.At = at
	p.done = append(p.done, then)
	return p
}

// binding is a trace for a row, of the grade or with a timing of the row that is longer.
func binding(g *standard.Grade, row int, prev, next standard.Command, with map[string]*standard.Grade) (*play, string) {
	if p := trace(g, row, prev, next); p != nil {
		return p, ""
	}
	formula := strings.Fields(g.Constraints[row].Formula)
	for i, name := range formula {
		for _, more := range []int{1, 50, 2000, 30_000} {
			if _, ok := g.Timing[name]; !ok || i > 0 && formula[i-1] == "-" {
				continue
			}
			key := fmt.Sprint(name, more)
			longer := with[key]
			if longer == nil {
				longer, _ = g.With(map[string]int{name: g.Timing[name] + more})
				with[key] = longer
			}
			if len(longer.Constraints) != len(g.Constraints) { // one is none without it
				continue
			}
			if p := trace(longer, row, prev, next); p != nil {
				return p, fmt.Sprintf("timing %s %d\n", name, longer.Timing[name])
			}
		}
	}
	return nil, ""
}

// log is the trace as trace check reads it.
func (p *play) log(timing string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "grade %s\nranks %d\n%schannel 0\n", p.g.Name, p.g.Organisation.Ranks, timing)
	for _, r := range p.done {
		fmt.Fprintln(&b, r)
	}
	fmt.Fprintf(&b, "end %d\n", len(p.done))
	return b.String()
}

// Every row of every standard and pair of its commands, as a whole trace that trace check reads: it is legal with the
// second command at the limit, and a clock earlier the error names the rule.
func TestEveryRule(t *testing.T) {
	seen, played, hidden := map[string]bool{}, 0, 0
	for _, name := range standard.Grades() {
		g, _ := standard.Find(name)
		if seen[g.Standard] {
			continue
		}
		seen[g.Standard] = true
		two := *g
		if slices.ContainsFunc(g.Constraints, func(k standard.Constraint) bool { return k.Level == standard.OtherRanks }) {
			two.Organisation.Ranks = 2
		}
		document, _, _ := strings.Cut(g.Standard, ",")
		document, _, _ = strings.Cut(document, " ")
		with := map[string]*standard.Grade{}
		for row, k := range g.Constraints {
			for _, prev := range k.Prev {
				for _, next := range k.Next {
					rule := fmt.Sprintf("%s/%s/%s-%s/%s", document, k.Level, prev, next, k.Formula)
					p, timing := binding(&two, row, prev, next, with)
					if p == nil {
						// after self-refresh a row is opened, or the rank refreshed, before these: rules of ACT and REF hold
						require.True(t, prev == standard.SRX && (next.IsColumn() || next == standard.SRE), "%s never decides", rule)
						hidden++
						continue
					}
					played++
					_, err := buslog.CheckLog("x", strings.NewReader(p.log(timing)))
					require.NoError(t, err, "%s\n%s", rule, p.log(timing))
					p.done[len(p.done)-1].At--
					_, err = buslog.CheckLog("x", strings.NewReader(p.log(timing)))
					require.True(t, errors.Is(err, buslog.ErrIllegal), "%s: %v\n%s", rule, err, p.log(timing))
					require.ErrorContains(t, err, fmt.Sprintf("want %d: %s)", p.g.Constraints[row].Clocks, k.Formula), rule)
				}
			}
		}
	}
	t.Logf("%d rules played, %d implied by others", played, hidden)
}
