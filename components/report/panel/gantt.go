package panel

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	add("gantt", "When each rank computed, waited for a message under way, or for a sender that was late.", Panel{Section: Over, Place: 1, Draw: gantt})
	add("late-senders", "How long others waited for each rank before it began to send.", Panel{Section: Time, Place: 3, Draw: lateSenders})
}

// The kinds of intervals of a rank.
var rankKinds = []string{"computing", "waits: the sender is late", "waits: the message is under way"}

// gantt draws the intervals of ranks; a wait is cut where its sender began.
func gantt(d *Data) (out []chart.Figure) {
	if d.Run == nil {
		return nil
	}
	for _, t := range d.Run.Observed.Find("intervals") {
		f := chart.Figure{Name: "gantt", Title: t.Where + ": ranks over time", Wide: true}
		f.Note = "A receive that waits is cut where its sender began to send: before that the sender was late." + d.cutOff(t)
		f.Kind, f.X = chart.Lanes, chart.Axis{Name: "time", Unit: "ns"}
		s := &chart.Slices{Kinds: rankKinds, Colors: []string{"#0072b2", "#d55e00", "#e69f00"}}
		name := indexer(&s.Names)
		rank, from, begin, sent, end := t.Index("rank"), t.Index("from"), t.Index("begin"), t.Index("sent"), t.Index("end")
		most := 0
		add := func(lane, kind int, text string, from, to float64) {
			if to > from {
				s.Lane, s.Kind, s.Name = append(s.Lane, lane), append(s.Kind, kind), append(s.Name, name(text))
				s.Begin, s.Span = append(s.Begin, from), append(s.Span, to-from)
			}
		}
		for i := range t.Rows {
			r := int(t.Number(i, rank))
			if r >= maxLanes {
				continue
			}
			most = max(most, r)
			if t.Number(i, from) < 0 {
				add(r, 0, "compute", t.Number(i, begin), t.Number(i, end))
				continue
			}
			text := fmt.Sprintf("for rank %.0f", t.Number(i, from))
			add(r, 1, text, t.Number(i, begin), t.Number(i, sent))
			add(r, 2, text, t.Number(i, sent), t.Number(i, end))
		}
		for r := range most + 1 {
			f.Lanes = append(f.Lanes, fmt.Sprintf("rank %d", r))
		}
		f.Slices = s
		if len(s.Lane) > 0 {
			return []chart.Figure{f} // of the first player with ranks
		}
	}
	return nil
}

// cutOff says how much of the time the intervals cover where they do not cover all of it:
// only so many are kept. Ranks may well end without any, so that a little does not count.
func (d *Data) cutOff(t experiment.Detail) string {
	total, ok := d.Run.value(t.Where, "total_time")
	last, end := 0.0, t.Index("end")
	for i := range t.Rows {
		last = max(last, t.Number(i, end))
	}
	if !ok || last == 0 || last > 0.98*total {
		return ""
	}
	return fmt.Sprintf(" The intervals that are kept end after %.2g %% of the time: what comes later is not in it.", 100*last/total)
}

func lateSenders(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := chart.Figure{Name: "late-senders", Title: "Who made others wait"}
	f.Note = "Time that receives of others waited, by the rank that they waited for."
	f.Kind, f.Stack, f.X.Name, f.Y = chart.Bars, true, "rank", chart.Axis{Name: "time", Unit: "ns"}
	late, under := map[int]float64{}, map[int]float64{}
	most := -1
	for _, t := range d.Run.Observed.Find("intervals") {
		f.Note += d.cutOff(t)
		from, begin, sent, end := t.Index("from"), t.Index("begin"), t.Index("sent"), t.Index("end")
		for i := range t.Rows {
			if r := int(t.Number(i, from)); r >= 0 {
				late[r] += t.Number(i, sent) - t.Number(i, begin)
				under[r] += t.Number(i, end) - t.Number(i, sent)
				most = max(most, r)
			}
		}
	}
	a, b := chart.Series{Name: "the sender was late", Color: "#d55e00"}, chart.Series{Name: "the message was under way", Color: "#e69f00"}
	for r := range min(most+1, maxLabels) {
		f.X.Labels = append(f.X.Labels, fmt.Sprint(r))
		a.Y, b.Y = append(a.Y, late[r]), append(b.Y, under[r])
	}
	f.Series = []chart.Series{a, b}
	return drawn(f)
}
