package report

import "fmt"

// A barChart is a stack laid out for the page: widths in percent of the longest
// bar.
type barChart struct {
	Legend []legendItem
	Note   string
	Rows   []barRow
}

type legendItem struct{ Name, Color string }

type barRow struct {
	Label, Total string
	Share        string // of all bars
	Parts        []barPart
}

type barPart struct {
	Color, Title string
	Width        float64
}

func chartOf(s *stack) *barChart {
	c := &barChart{Note: s.note()}
	for _, name := range s.Columns {
		c.Legend = append(c.Legend, legendItem{causeName(name), hex(colorOf(name))})
	}
	longest, sum := 0.0, 0.0
	for _, b := range s.Bars {
		longest, sum = max(longest, b.Total), sum+b.Total
	}
	if s.Rest != nil {
		sum += s.Rest.Total
	}
	for _, b := range s.Bars {
		row := barRow{Label: b.label(), Total: Pretty(b.Total)}
		if sum > 0 {
			row.Share = fmt.Sprintf("%.1f %%", 100*b.Total/sum)
		}
		for i, p := range b.Parts {
			if p > 0 {
				name := s.Columns[i]
				row.Parts = append(row.Parts, barPart{hex(colorOf(name)),
					fmt.Sprintf("%s: %s cycles, %.1f %%", causeName(name), Pretty(p), 100*p/b.Total), 100 * p / longest})
			}
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}
