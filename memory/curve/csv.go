package curve

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Sample is one measured point.
type Sample struct {
	MBps float64 // 10^6 bytes per second
	NS   float64
}

// maxSamples bounds a file: a curve has dozens of points.
const maxSamples = 1 << 16

// ParseCSV reads a curve as the Mess benchmark prints it: per line a bandwidth in MB/s and a
// latency in ns, separated by a comma or a space, in any order of lines. It skips a first line of
// names (bw_MBps,latency_ns), empty lines and comments after #. Errors have file, line and
// column.
func ParseCSV(name, text string) ([]Sample, error) {
	var out []Sample
	for i, line := range strings.Split(text, "\n") {
		at := fmt.Sprintf("%s:%d", name, i+1)
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' || len(out) == 0 && trimmed == "bw_MBps,latency_ns" {
			continue
		}
		cells := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' })
		if len(cells) != 2 {
			return nil, fmt.Errorf("%s:1: %d values (want bandwidth in MB/s and latency in ns)", at, len(cells))
		}
		var v [2]float64
		for j, c := range cells {
			x, err := strconv.ParseFloat(c, 64)
			if err != nil || !(x >= 0 && x <= 1e12) {
				return nil, fmt.Errorf("%s:%d: %q is no %s", at, 1+strings.LastIndex(line, c), c, [...]string{"bandwidth in MB/s", "latency in ns"}[j])
			}
			v[j] = x
		}
		if len(out) == maxSamples {
			return nil, fmt.Errorf("%s:1: more than %d points", at, maxSamples)
		}
		out = append(out, Sample{v[0], v[1]})
	}
	if len(out) < 2 {
		return nil, fmt.Errorf("%s:1:1: %d points (want at least 2)", name, len(out))
	}
	return out, nil
}

// clean orders samples by bandwidth and makes latency rise with it: each point
// gets at least the latency of those of less bandwidth. Of points of equal
// bandwidth the slowest stays.
func clean(in []Sample) []Sample {
	s := slices.Clone(in)
	slices.SortFunc(s, func(a, b Sample) int { return cmp.Or(cmp.Compare(a.MBps, b.MBps), cmp.Compare(a.NS, b.NS)) })
	out := s[:0]
	for _, p := range s {
		if n := len(out); n > 0 {
			p.NS = max(p.NS, out[n-1].NS)
			if p.MBps == out[n-1].MBps {
				out = out[:n-1]
			}
		}
		out = append(out, p)
	}
	return out
}
