package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// A Card is one figure in large print at the top of the page.
type Card struct{ Label, Value, Exact string }

// maxCards bounds the cards of a page.
const maxCards = 8

// Cards are the headlines of a run, as the kinds of its nodes declare them. The elements of
// an array have one card: the mean of times and shares, the sum of the rest.
func Cards(r *result.Result) (out []Card) {
	type card struct {
		label string
		h     system.Headline
		sum   float64
		n     int
	}
	var cards []*card
	at := map[[2]string]*card{}
	for _, a := range r.Headlines() {
		base, _ := arrayOf(a.Where)
		c := at[[2]string{base, a.Metric}]
		if c == nil {
			c = &card{label: a.Label, h: a.Headline}
			if a.Where != "" && a.Subject > system.OfTraffic {
				c.label = base + " " + a.Label
			}
			at[[2]string{base, a.Metric}], cards = c, append(cards, c)
		}
		c.sum, c.n = c.sum+a.Of.Value, c.n+1
		if c.n > 1 {
			of := "together"
			if c.h.Mean() {
				of = "mean"
			}
			c.label = fmt.Sprintf("%s (%d) %s, %s", base, c.n, a.Label, of)
		}
	}
	for _, c := range cards[:min(len(cards), maxCards)] {
		v := c.sum
		if c.h.Mean() {
			v /= float64(c.n)
		}
		out = append(out, Card{c.label, Human(v, c.h.Unit), Pretty(v) + " " + string(c.h.Unit)})
	}
	return out
}

// Human prints a value for reading at a glance: four significant digits and a
// unit of the right size. Bytes are decimal, as rates are.
func Human(v float64, unit stats.Unit) string {
	scaled := func(names []string, last float64) string {
		x, i := v, 0
		for i < len(names)-1 && math.Abs(x) >= 1000 {
			x, i = x/1000, i+1
		}
		s := strconv.FormatFloat(x, 'g', 4, 64)
		if math.Abs(x) >= last {
			s = Pretty(math.Round(x))
		}
		if names[i] == "" {
			return s
		}
		return s + " " + names[i]
	}
	switch unit {
	case stats.NS:
		return scaled([]string{"ns", "us", "ms", "s"}, 1000)
	case stats.PJ:
		return scaled([]string{"pJ", "nJ", "uJ", "mJ", "J"}, 1000)
	case stats.Byte:
		return scaled([]string{"B", "KB", "MB", "GB", "TB"}, 1000)
	case stats.One:
		return scaled([]string{"", "thousand", "million", "billion", "trillion"}, 1000)
	case stats.Percent:
		return strconv.FormatFloat(v, 'g', 3, 64) + " %"
	case stats.Cycle:
		return Pretty(v)
	}
	return Pretty(v) + " " + string(unit)
}
