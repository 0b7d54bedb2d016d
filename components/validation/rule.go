package validation

import (
	"fmt"
	"strconv"
	"strings"
)

// A Rule selects rows of a table: every n-th from the first, or by their cells.
type Rule struct {
	Every int `yaml:"every"` // 2: the first, the third, ...
	// Where maps a column to its allowed cells: a range of numbers (256..512, 257.., ..64) or
	// words (tp1|tp4); a cell may hold several words.
	Where map[string]string `yaml:"where"`
}

func (r Rule) empty() bool { return r.Every == 0 && len(r.Where) == 0 }

// check reports what is wrong with the rule itself.
func (r Rule) check() error {
	if r.Every < 0 || r.Every == 1 {
		return fmt.Errorf("every is %d (want 2 or more: 2 is one half)", r.Every)
	}
	for _, c := range sortedKeys(r.Where) {
		if r.Where[c] == "" {
			return fmt.Errorf("where.%s is empty (want a range, as 256..512, or words, as a|b)", c)
		}
	}
	return nil
}

// holds reports whether the rule picks a row, the n-th from 0.
func (r Rule) holds(cells map[string]string, n int) bool {
	if r.Every > 0 && n%r.Every != 0 {
		return false
	}
	for c, want := range r.Where {
		if !matches(cells[c], want) {
			return false
		}
	}
	return true
}

// matches reports whether a rule allows a cell.
func matches(cell, want string) bool {
	for w := range strings.SplitSeq(want, "|") {
		w = strings.TrimSpace(w)
		if low, high, ok := strings.Cut(w, ".."); ok {
			x, err := strconv.ParseFloat(cell, 64)
			a, errA := bound64(low, -1e300)
			b, errB := bound64(high, 1e300)
			if err == nil && errA == nil && errB == nil && x >= a && x <= b {
				return true
			}
			continue
		}
		if cell == w {
			return true
		}
		for _, f := range strings.Fields(cell) {
			if f == w {
				return true
			}
		}
	}
	return false
}

func bound64(s string, open float64) (float64, error) {
	if s == "" {
		return open, nil
	}
	return strconv.ParseFloat(s, 64)
}
