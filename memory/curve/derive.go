package curve

import (
	"errors"
	"fmt"
)

// A Measured is what a memory did under a steady closed loop: so many requests of
// one size outstanding at all times.
type Measured struct {
	Load    float64 // bytes per second over the peak of the pins
	Latency float64 // ns, mean of the requests at the memory
}

// Derive makes a curve of runs of another memory, a bank-accurate one or a real
// one, by rising windows. Closed loops, because what limits an accelerator is the
// number of requests that it keeps outstanding: a curve from open loops has
// near saturation the queue of the source in it, which grows with the length of
// the run. Transfer is the time that one request takes at the peak, in ns; the
// unloaded latency, of the first window, is counted without it, because the
// channel adds it.
//
// Runs that move no more than one before are left out: they are queues at a
// channel that is full.
func Derive(reads, transfer float64, runs []Measured) (Line, error) {
	line := Line{Reads: reads}
	if len(runs) < 2 {
		return line, errors.New("a curve needs two runs at least")
	}
	top := 0.0
	for i, r := range runs {
		if r.Load <= 0 || r.Load > 1 || r.Latency <= 0 {
			return line, fmt.Errorf("run %d: load %g and latency %g ns (want above 0, and a load of at most 1)", i, r.Load, r.Latency)
		}
		top = max(top, r.Load)
	}
	line.Points = append(line.Points, Point{0, max(runs[0].Latency-transfer/top, runs[0].Latency/4)})
	for _, r := range runs {
		// half a percent is no more
		if last := line.Points[len(line.Points)-1]; r.Load > last.Load*1.005 && r.Latency >= last.NS {
			line.Points = append(line.Points, Point{r.Load, r.Latency})
		}
	}
	return line, CheckLine(line)
}
