package cost

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Intensity is the carbon of electricity over time, in g/kWh: that of each row holds until the
// hour of the next.
type Intensity struct {
	hours  []float64 // the first is 0
	grams  []float64
	period float64 // hours after which it repeats: whole days
}

// Constant returns an intensity of so many g/kWh that does not change.
func Constant(grams float64) *Intensity {
	return &Intensity{hours: []float64{0}, grams: []float64{grams}, period: 24}
}

// ReadIntensity reads a CSV with columns hour (the first is 0, each later than the one before) and g_per_kwh
// (0 to 100,000). The last row holds to the end of its day, and then the file repeats. Anything else is an
// error with name, the file's name, and the line.
func ReadIntensity(name string, r io.Reader) (*Intensity, error) {
	c := csv.NewReader(r)
	c.TrimLeadingSpace = true
	head, err := c.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	hour, grams := slices.Index(head, "hour"), slices.Index(head, "g_per_kwh")
	if hour < 0 || grams < 0 {
		return nil, fmt.Errorf("%s:1: columns are %s (want hour, g_per_kwh)", name, strings.Join(head, ", "))
	}
	out := &Intensity{}
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := c.FieldPos(0)
		h, err1 := strconv.ParseFloat(row[hour], 64)
		g, err2 := strconv.ParseFloat(row[grams], 64)
		switch n := len(out.hours); {
		case err1 != nil || err2 != nil:
			return nil, fmt.Errorf("%s:%d: %s, %s are not two numbers", name, line, row[hour], row[grams])
		case n == 0 && h != 0:
			return nil, fmt.Errorf("%s:%d: the first hour is %g (want 0)", name, line, h)
		case n > 0 && !(h > out.hours[n-1]):
			return nil, fmt.Errorf("%s:%d: hour %g does not come after %g", name, line, h, out.hours[n-1])
		case !(h < 1e6):
			return nil, fmt.Errorf("%s:%d: hour %g is too large (want less than 1000000)", name, line, h)
		case !(g >= 0 && g <= 1e5):
			return nil, fmt.Errorf("%s:%d: %g g/kWh (want 0 to 100000)", name, line, g)
		}
		out.hours, out.grams = append(out.hours, h), append(out.grams, g)
	}
	if len(out.hours) == 0 {
		return nil, fmt.Errorf("%s: no hours", name)
	}
	out.period = 24 * (math.Floor(out.hours[len(out.hours)-1]/24) + 1)
	return out, nil
}

// Mean returns the mean intensity in g/kWh from hour start on, over so many hours; with 0 hours or fewer, the
// intensity at start.
func (x *Intensity) Mean(start, hours float64) float64 {
	if hours <= 0 {
		return x.grams[x.at(math.Mod(start, x.period))]
	}
	whole := math.Floor(hours / x.period)
	begin := math.Mod(start, x.period)
	rest := hours - whole*x.period
	sum := whole * x.until(x.period)
	if end := begin + rest; end > x.period {
		sum += x.until(x.period) - x.until(begin) + x.until(end-x.period)
	} else if i := x.at(begin); i == x.at(end) {
		sum += rest * x.grams[i] // a run of microseconds is below the digits of an hour
	} else {
		sum += x.until(end) - x.until(begin)
	}
	return sum / hours
}

// at is the row of an hour below the period.
func (x *Intensity) at(hour float64) int {
	i, found := slices.BinarySearch(x.hours, hour)
	if !found {
		i--
	}
	return i
}

// until is the integral from hour 0 to an hour of the first period.
func (x *Intensity) until(hour float64) (sum float64) {
	for i, h := range x.hours {
		next := x.period
		if i+1 < len(x.hours) {
			next = x.hours[i+1]
		}
		if h >= hour {
			break
		}
		sum += x.grams[i] * (min(next, hour) - h)
	}
	return sum
}
