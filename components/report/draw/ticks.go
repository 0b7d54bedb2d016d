package draw

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// ticks are numbers with the prefixes of SI: 20 k, 1.5 M. A logarithmic axis has one at
// each power of ten.
func ticks(a chart.Axis) plot.Ticker {
	if a.Log {
		return si{plot.LogTicks{Prec: -1}}
	}
	return si{plot.DefaultTicks{}}
}

type si struct{ of plot.Ticker }

// Ticks implements plot.Ticker.
func (s si) Ticks(lo, hi float64) []plot.Tick {
	list := s.of.Ticks(lo, hi)
	for i, t := range list {
		if t.Label != "" {
			list[i].Label = SI(t.Value)
		}
	}
	return list
}

// SI prints a number with a prefix: 1200000 is 1.2 M.
func SI(v float64) string {
	a := math.Abs(v)
	for _, p := range []struct {
		at   float64
		name string
	}{{1e15, " P"}, {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if a >= p.at*(1-1e-9) {
			return strconv.FormatFloat(v/p.at, 'g', 5, 64) + p.name
		}
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}

// short is SI of three digits.
func short(v float64) string {
	x, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return SI(v)
	}
	return SI(x)
}
