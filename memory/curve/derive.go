package curve

import (
	"errors"
	"fmt"
)

// A Measured is a run of a memory with a constant number of outstanding requests of one size.
type Measured struct {
	Load    float64 // bytes per second over the peak of the pins
	Latency float64 // ns, mean of the requests at the memory
}

// Derive makes a curve from closed-loop runs of another memory, bank-accurate or real, in order
// of rising windows. transfer is the time of one request at the peak bandwidth, in ns; it is
// subtracted from the unloaded latency, that of the first window, because the channel adds it.
// Runs are closed loops since outstanding requests limit an accelerator; near saturation open
// loops measure the source's queue, which grows with the length of the run.
//
// Derive leaves out runs with no more bandwidth than an earlier one, which only queue at a full
// channel.
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
