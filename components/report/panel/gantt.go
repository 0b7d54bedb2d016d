package panel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	Add("gantt", "When each rank computed, waited for a message under way, or for a sender that was late.", Panel{Section: Over, Place: 1, Draw: gantt})
	Add("late-senders", "How long others waited for each rank before it began to send.", Panel{Section: Time, Place: 3, Draw: lateSenders})
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
		name := Indexer(&s.Names)
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
		usedKinds(s)
		f.Slices = s
		if len(s.Lane) > 0 {
			return []chart.Figure{f} // of the first player with ranks
		}
	}
	return nil
}

// usedKinds leaves out the kinds that no slice has.
func usedKinds(s *chart.Slices) {
	var kinds, colors []string
	at := make([]int, len(s.Kinds))
	for k, name := range s.Kinds {
		if at[k] = len(kinds); slices.Contains(s.Kind, k) {
			kinds, colors = append(kinds, name), append(colors, s.Colors[k])
		}
	}
	for i, k := range s.Kind {
		s.Kind[i] = at[k]
	}
	s.Kinds, s.Colors = kinds, colors
}

// cutOff says how much of the time the intervals cover where they do not cover all of it:
// only so many are kept. Ranks may well end without any, so that a little does not count.
func (d *Data) cutOff(t watch.Detail) string {
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
	f.Note = "Time that receives of others waited for each rank, of the time of all ranks together. Where a rank waits for several at once, the first counts."
	f.Kind, f.Stack, f.X.Name, f.Y = chart.Bars, true, "rank", chart.Axis{Name: "share of the time of all ranks", Unit: "%"}
	late, under := map[int]float64{}, map[int]float64{}
	most, all := -1, 0.0
	for _, t := range d.Run.Observed.Find("intervals") {
		f.Note += d.cutOff(t)
		rank, from, begin, sent, end := t.Index("rank"), t.Index("from"), t.Index("begin"), t.Index("sent"), t.Index("end")
		ranks, last := 0, 0.0
		order := make([]int, len(t.Rows))
		for i := range t.Rows {
			order[i] = i
			ranks, last = max(ranks, int(t.Number(i, rank))+1, int(t.Number(i, from))+1), max(last, t.Number(i, end))
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Number(a, begin), t.Number(b, begin)) })
		until := make([]float64, ranks) // what is counted of each rank's time
		for _, i := range order {
			r, who := int(t.Number(i, from)), int(t.Number(i, rank))
			if r < 0 {
				continue
			}
			a, z := max(t.Number(i, begin), until[who]), t.Number(i, end)
			cut := min(max(t.Number(i, sent), a), max(z, a))
			late[r] += cut - a
			under[r] += max(z, cut) - cut
			until[who] = max(until[who], z)
			most = max(most, r)
		}
		all += float64(ranks) * last
	}
	if all == 0 {
		return nil
	}
	a, b := chart.Series{Name: "the sender was late", Color: "#d55e00"}, chart.Series{Name: "the message was under way", Color: "#e69f00"}
	for r := range min(most+1, maxLabels) {
		f.X.Labels = append(f.X.Labels, fmt.Sprint(r))
		a.Y, b.Y = append(a.Y, 100*late[r]/all), append(b.Y, 100*under[r]/all)
	}
	f.Series = []chart.Series{a, b}
	return OneFigure(f)
}
