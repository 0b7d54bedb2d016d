package validation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// ClosedForm is the printed label of exact figures that have a tolerance.
const ClosedForm = "closed form"

// limits is the greatest error of each label, in percent of the published value. It is the same
// for all studies: a row outside it is a miss, whatever its own tolerance.
var limits = map[string]float64{"exact": 0, ClosedForm: 1, "reconstruction": 5, "measured": 10, "headline": 20}

// Limit returns the greatest error with which a figure of a label holds, in percent.
func Limit(label string) float64 { return limits[label] }

// rounded is a limit with room for the rounding of a float, so that an error of 10 percent holds at
// a limit of 10; a limit of 0 stays 0.
func rounded(limit float64) float64 { return limit * (1 + 1e-9) }

func ruleText(limit float64) string { return fmt.Sprintf("%g%%", limit) }

// A Miss is the reason why rows of a study miss. Patterns match whole names: * stands for any text,
// | separates patterns, and an empty one matches every name.
type Miss struct {
	Run     string `yaml:"run"`
	Metric  string `yaml:"metric"`
	Because string `yaml:"because"`
}

// names reports whether the patterns match a row.
func (m Miss) names(r *Row) bool { return glob(m.Run, r.Run) && glob(m.Metric, r.Metric) }

// glob reports whether a pattern with * and | matches the whole text.
func glob(pattern, text string) bool {
	if first, others, ok := strings.Cut(pattern, "|"); ok {
		return glob(first, text) || glob(others, text)
	}
	if pattern == "" {
		return true
	}
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return pattern == text
	}
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, p := range parts[1:last] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return strings.HasSuffix(rest, parts[last])
}

// checkMisses reports entries without a reason or without a pattern.
func (s *Study) checkMisses(doc configs.Value) error {
	var errs configs.Errors
	items := doc.Get("misses").Items()
	for i, m := range s.Misses {
		switch {
		case m.Because == "":
			errs.Add(items[i].Errorf(nil, "a miss needs its reason (because: ...)"))
		case m.Run == "" && m.Metric == "":
			errs.Add(items[i].Errorf(nil, "names no rows (run: NAME, metric: NAME; * stands for any text, | separates names)"))
		}
	}
	return errs.Err()
}

// judgeValue compares a value with the rule of its label and with its own tolerance. A published
// 0 and a bound have no error in percent: their tolerance is what they must hold.
func (r *Row) judgeValue(missed bool) {
	r.Gate = r.Tolerance == "" || within(r.Simulated, r.Published, r.Tolerance)
	switch {
	case bound(r.Tolerance):
		r.judge(r.Tolerance, r.Gate, missed)
	case r.Published == 0 && r.Tolerance != "":
		r.judge(r.Tolerance, r.Gate, missed)
	default:
		limit := Limit(r.Label)
		r.judge(ruleText(limit), math.Abs(r.Simulated-r.Published) <= rounded(limit)/100*math.Abs(r.Published), missed)
	}
}

// judge sets what a row's verdict depends on: whether it is within the rule, whether its own
// bound (Gate) holds, and whether the study marks the bound as not reached.
func (r *Row) judge(rule string, within, missed bool) {
	r.Rule = rule
	if r.Problem != "" {
		within, r.Gate = false, false
	}
	r.unreached = missed
	r.OK = within && (r.Gate || missed)
	r.Reached = missed && r.Gate && within
	r.outside = !within && r.Problem == ""
}

// explainMisses gives each row that misses the reason of the first entry that names it. An entry
// that names no row at all is an error.
func (s *Study) explainMisses(rows []Row) error {
	used := make([]bool, len(s.Misses))
	for i := range rows {
		r := &rows[i]
		for j, m := range s.Misses {
			if !m.names(r) {
				continue
			}
			used[j] = true
			if r.outside && r.Because == "" {
				r.Because = m.Because
			}
		}
		r.Missed = r.outside && r.Because != "" && (r.Gate || r.unreached)
	}
	if i := slices.Index(used, false); i >= 0 {
		return fmt.Errorf("misses[%d] names no row: run %q, metric %q", i, s.Misses[i].Run, s.Misses[i].Metric)
	}
	return nil
}

// The verdicts of rows.
const (
	Holds     = "ok"
	Missed    = "missed"    // outside the rule, for a reason that the study gives
	Reached   = "reached"   // holds although the study marks its bound as not reached
	Misses    = "MISS"      // outside the rule without a reason, or without a value
	Regressed = "REGRESSED" // outside its own bound, which it held before
	NoInput   = "no input"  // reads files that are not here
)

// Verdict is the verdict of a row. Those in capitals fail the study.
func (r *Row) Verdict() string {
	switch {
	case r.NoInput:
		return NoInput
	case r.Problem != "":
		return Misses
	case !r.Gate && !r.unreached && (!r.outside || r.Because != ""):
		return Regressed
	case r.Missed:
		return Missed
	case r.outside:
		return Misses
	case r.Reached:
		return Reached
	}
	return Holds
}

// OfErrors reports whether the simulated value is itself an error: the mean, the median or another
// quantile of those of many rows, in percent.
func (r *Row) OfErrors() bool { return r.limit && r.Tolerance == atMost }

// Failed reports whether the row fails its study.
func (r *Row) Failed() bool {
	v := r.Verdict()
	return v == Misses || v == Regressed
}

// Margin is how far a value is from its bound, in percent of the bound and positive on the right
// side; ok is false for a row that is not bounded on one side, and for a bound of 0.
func (r *Row) Margin() (percent float64, ok bool) {
	if r.Problem != "" || r.Published == 0 || !bound(r.Tolerance) {
		return 0, false
	}
	m := 100 * (r.Published - r.Simulated) / r.Published
	if r.Tolerance == atLeast {
		m = -m
	}
	if r.Published < 0 {
		m = -m
	}
	return m, true
}
