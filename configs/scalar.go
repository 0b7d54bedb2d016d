package configs

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Plain scalars are read by the core schema of YAML 1.2: yes, no, on and off
// are text, 1:30 is text, 0o17 and 0x1F are numbers. The reader underneath
// follows YAML 1.1 in places, which is why this is decided here.
var (
	isInt   = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	isBased = regexp.MustCompile(`^0(x[0-9a-fA-F]+|o[0-7]+)$`)
	isFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	isOctal = regexp.MustCompile(`^[-+]?0[0-9]+$`)
	isOdd   = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// maxDigits bounds a number as written: nothing that is measured or counted
// here has more, and exact arithmetic on 10^1000000 takes for ever.
const maxDigits = 40

// classify reads a plain scalar. The text returned is canonical for numbers
// and words of logic: 0x10 becomes 16, True becomes true.
func classify(s string) (Kind, string, error) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null, "", nil
	case "true", "True", "TRUE":
		return Bool, "true", nil
	case "false", "False", "FALSE":
		return Bool, "false", nil
	}
	if c := s[0]; (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' {
		return String, s, nil // most scalars: spare them the patterns
	}
	switch {
	case isInt.MatchString(s), isBased.MatchString(s):
		if len(s) > maxDigits {
			return Null, "", fmt.Errorf("a number of %d digits is too long (at most %d)", len(s), maxDigits)
		}
		if i, err := strconv.ParseInt(s, 0, 64); err == nil {
			return Int, strconv.FormatInt(i, 10), nil
		}
		i, _ := new(big.Int).SetString(strings.TrimPrefix(s, "+"), 0)
		return Int, i.String(), nil
	case isOctal.MatchString(s):
		return Null, "", fmt.Errorf("%s is 8-based to some readers of YAML and 10-based to others; write %s, 0o%s or %q",
			s, decimalOf(s), strings.TrimLeft(strings.TrimLeft(s, "+-"), "0"), s)
	case isFloat.MatchString(s):
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || len(s) > maxDigits {
			return Null, "", fmt.Errorf("%.50s is out of range", s)
		}
		return Float, printFloat(f), nil
	case isOdd.MatchString(s):
		return Null, "", fmt.Errorf("%s is no number that can be used; quote it if it is a name", s)
	}
	return String, s, nil
}

func decimalOf(s string) string {
	sign := ""
	if s[0] == '-' {
		sign = "-"
	}
	s = strings.TrimLeft(s, "+-0")
	if s == "" {
		return "0"
	}
	return sign + s
}

// printFloat is the shortest text that reads back as f and as a Float.
func printFloat(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
