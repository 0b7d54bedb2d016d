package panel

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	Add("timeline", "Tasks over time: layers, tiles, DMA bursts, requests, messages, collectives, accesses of caches and memories.",
		Panel{Section: Over, Place: 2, Draw: timeline})
}

const (
	rounded   = 0.002 // ns: of begins and ends in observed.json
	maxTracks = 8     // lanes of one kind of task of one node, where they overlap
	maxLanes  = 120   // of a chart
)

// The colours of the kinds of tasks.
var taskColors = map[string]string{
	"layer": "#0072b2", "tile": "#8abfe2", "compute": "#009e73", "burst": "#e69f00", "request": "#6a51a3", "access": "#56b4e9",
	"memory": "#d55e00", "message": "#cc79a7", "cxl": "#8c6d31", "collective": "#003f63",
}

// detailed is the part of the time, in percent, in which tasks of all kinds are known, where
// it is a small one: of short tasks only the first are kept. 0 is all.
func detailed(t *watch.Tasks, last float64) float64 {
	until := 0.0
	for i := range t.Node {
		if k := t.Kinds[t.Kind[i]]; k != "layer" && k != "collective" && t.Span[i] >= 0 {
			until = max(until, t.Begin[i]+t.Span[i])
		}
	}
	if until == 0 || until > 0.3*last {
		return 0
	}
	return max(0.01, 100*until/last)
}

// partOf says which part of the tasks of a run a chart shows; title names it, and is "" where
// it shows all.
func partOf(t *watch.Tasks, shown int) (title, note string) {
	n := grouped(shown)
	switch {
	case len(t.Cut) > 0:
		return "the first " + n, fmt.Sprintf("A part: %s tasks. Of each node the first %s and no more; run --timeline writes all.", n, strings.Join(t.Cut, ", "))
	case t.Hidden > 0 || shown < len(t.Node):
		return "the first " + n, fmt.Sprintf("A part: %s of %s tasks; run --timeline writes all.", n, grouped(len(t.Node)+t.Hidden))
	}
	return "", fmt.Sprintf("All %s tasks.", n)
}

// grouped is a number in groups of three.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// timeline puts each task into the first free lane of its node and kind.
func timeline(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Observed == nil || d.Run.Observed.Tasks == nil {
		return nil
	}
	t := d.Run.Observed.Tasks
	f := chart.Figure{Name: "timeline", Title: "Tasks over time", Wide: true}
	f.Kind = chart.Lanes
	f.X = chart.Axis{Name: "time", Unit: "ns"}
	s := &chart.Slices{Kinds: t.Kinds, Names: t.Names}
	for _, k := range t.Kinds {
		c, ok := taskColors[k]
		if !ok {
			c = "#7f7f7f"
		}
		s.Colors = append(s.Colors, c)
	}
	last := 0.0
	for i := range t.Node {
		last = max(last, t.Begin[i]+max(0, t.Span[i]))
	}
	// Lanes stand by node, and within a node by kind, so tracks are found first.
	type group struct{ node, kind int }
	ends := map[group][]float64{}
	track := make([]int, len(t.Node))
	deep := 0
	for i := range t.Node {
		g := group{t.Node[i], t.Kind[i]}
		track[i] = -1
		for k, end := range ends[g] {
			if end <= t.Begin[i]+rounded {
				track[i] = k
				break
			}
		}
		if track[i] < 0 {
			if len(ends[g]) == maxTracks {
				deep++
				continue
			}
			track[i] = len(ends[g])
			ends[g] = append(ends[g], 0)
		}
		span := t.Span[i]
		if span < 0 {
			span = last - t.Begin[i]
		}
		ends[g][track[i]] = t.Begin[i] + span
	}
	first := map[group]int{}
	for n, name := range t.Nodes {
		for k, kind := range t.Kinds {
			g := group{n, k}
			if len(ends[g]) == 0 || len(f.Lanes) >= maxLanes {
				continue
			}
			first[g] = len(f.Lanes) + 1
			for i := range ends[g] {
				lane := name + " " + kind
				if len(ends[g]) > 1 {
					lane += fmt.Sprintf(" %d", i+1)
				}
				f.Lanes = append(f.Lanes, lane)
			}
		}
	}
	for i := range t.Node {
		lane := first[group{t.Node[i], t.Kind[i]}]
		if lane == 0 || track[i] < 0 {
			continue
		}
		span := t.Span[i]
		if span < 0 {
			span = last - t.Begin[i]
		}
		s.Lane = append(s.Lane, lane-1+track[i])
		s.Begin, s.Span = append(s.Begin, t.Begin[i]), append(s.Span, span)
		s.Kind, s.Name = append(s.Kind, t.Kind[i]), append(s.Name, t.Name[i])
	}
	if len(s.Lane) == 0 {
		return nil
	}
	f.Slices = s
	f.Until = detailed(t, last)
	title, note := partOf(t, len(s.Lane))
	if title != "" {
		f.Title += ": " + title
	}
	f.Note = note + " Drag to pan; the wheel with the control key, or + and -, zoom."
	if f.Until > 0 {
		f.Note += fmt.Sprintf(" The first %.2g %% of the time are shown; All shows the rest.", f.Until)
	}
	if deep > 0 {
		f.Note += fmt.Sprintf(" %s tasks overlap more than %d deep and are left out.", grouped(deep), maxTracks)
	}
	return []chart.Figure{f}
}
