package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// A Card is one figure in large print at the top of the page.
type Card struct{ Label, Value, Exact string }

// Number is the value without its unit.
func (c Card) Number() string { n, _ := c.parts(); return n }

// Unit is the unit of the value, "" where it has none.
func (c Card) Unit() string { _, u := c.parts(); return u }

// parts cuts a value of a number and a unit; text is not cut.
func (c Card) parts() (number, unit string) {
	if n, u, ok := strings.Cut(c.Value, " "); ok && n != "" && n[0] >= '0' && n[0] <= '9' {
		return n, u
	}
	return c.Value, ""
}

// maxCards bounds the cards of a page.
const maxCards = 12

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
	asked := r.Headlines()
	several := severalAsked(asked)
	ofSystem := map[string]stats.Metric{}
	for _, m := range r.Metrics {
		if m.Phase == "all" && m.Where == "" {
			ofSystem[m.Name] = m
		}
	}
	for _, a := range asked {
		base, _ := arrayOf(a.Where)
		if whole, ok := ofSystem[a.Metric]; ok && a.Where != "" && whole.Value == a.Of.Value {
			continue // the whole says the same
		}
		c := at[[2]string{base, a.Metric}]
		if c == nil {
			c = &card{label: a.Label, h: a.Headline}
			if a.Where != "" && (several || a.Subject > system.OfTraffic) {
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

// severalAsked reports whether a run is about several servers or sources of traffic, so that
// their cards need names.
func severalAsked(asked []result.Asked) bool {
	first := ""
	for _, a := range asked {
		if base, _ := arrayOf(a.Where); a.Where != "" && a.Subject <= system.OfTraffic {
			if first != "" && base != first {
				return true
			}
			first = base
		}
	}
	return false
}

// counted are units that are nouns.
var counted = map[stats.Unit]string{stats.Cycle: "cycle", stats.Request: "request", stats.Flit: "flit", stats.Token: "token"}

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
		if math.Abs(v) < 1e6 {
			return Pretty(v)
		}
		v /= 1e6
		return scaled([]string{"million", "billion", "trillion"}, 1000)
	case stats.Percent:
		return strconv.FormatFloat(v, 'g', 3, 64) + " %"
	case stats.Rate:
		return Pretty(v) + " /s"
	}
	if noun, ok := counted[unit]; ok && v != 1 {
		return Pretty(v) + " " + noun + "s"
	}
	return strings.TrimSpace(Pretty(v) + " " + string(unit))
}
