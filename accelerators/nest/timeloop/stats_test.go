package timeloop

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stats is what Timeloop printed: figures of levels, of tensors at levels, of compute
// and of the whole. A figure keeps the text, whose digits say how exact it is.
type stats struct {
	whole   map[string]string
	levels  map[string]map[string]string            // by level; that of compute included
	tensors map[string]map[string]map[string]string // by level and tensor
}

var (
	levelLine  = regexp.MustCompile(`^=== (\S+) ===$`)
	tensorLine = regexp.MustCompile(`^ {4}(\w+):$`)
	figureLine = regexp.MustCompile(`^ *([A-Z][^:]*?) *: *(-?[0-9.e+-]+)%?(?: .*)?$`)
	rankLine   = regexp.MustCompile(`^ *Rank (\d+) \(metadata, payload\): \((\d+), *(\d+)\)`)
	rankTitle  = regexp.MustCompile(`^ *([A-Z].*?) *$`)
)

func readStats(t *testing.T, file string) stats {
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	text, rest, _ := strings.Cut(string(b), "\nNetworks\n")
	s := stats{whole: map[string]string{}, levels: map[string]map[string]string{}, tensors: map[string]map[string]map[string]string{}}
	level, tensor, title := "", "", ""
	for line := range strings.SplitSeq(text, "\n") {
		if m := levelLine.FindStringSubmatch(line); m != nil {
			level, tensor = m[1], ""
			s.levels[level], s.tensors[level] = map[string]string{}, map[string]map[string]string{}
			continue
		}
		if m := tensorLine.FindStringSubmatch(line); m != nil {
			tensor = m[1]
			s.tensors[level][tensor] = map[string]string{}
			continue
		}
		if m := rankLine.FindStringSubmatch(line); m != nil {
			s.tensors[level][tensor][title+" rank "+m[1]+" metadata"] = m[2]
			s.tensors[level][tensor][title+" rank "+m[1]+" payload"] = m[3]
			continue
		}
		if m := figureLine.FindStringSubmatch(line); m != nil {
			if tensor != "" {
				s.tensors[level][tensor][m[1]] = m[2]
			} else if level != "" {
				s.levels[level][m[1]] = m[2]
			}
			continue
		}
		if m := rankTitle.FindStringSubmatch(line); m != nil {
			title = m[1]
		}
	}
	_, summary, ok := strings.Cut(rest, "Summary Stats\n")
	require.True(t, ok, file)
	for line := range strings.SplitSeq(summary, "\n") {
		if m := figureLine.FindStringSubmatch(line); m != nil {
			s.whole[m[1]] = m[2]
		}
	}
	return s
}

// printed requires a figure to be what was printed: to half a unit of its last digit,
// and a little for sums that were added in another order.
func printed(t *testing.T, what, text string, got float64) {
	t.Helper()
	want, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err, what)
	unit := 0.0
	if _, frac, ok := strings.Cut(text, "."); ok && !strings.ContainsAny(frac, "e") {
		unit = 0.501
		for range frac {
			unit /= 10
		}
	}
	if d := got - want; d > unit+1e-9*want || d < -unit-1e-9*want {
		t.Errorf("%s: %v, Timeloop says %s", what, got, text)
	}
}
