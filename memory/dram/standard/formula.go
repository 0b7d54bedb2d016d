package standard

import (
	"fmt"
	"strconv"
	"strings"
)

// formula is the value of a sum of names and numbers, for example
// CWL + BL + WTR_L - 2. A name with ? at the end is 0 where there is no such value.
func formula(text string, values map[string]int) (int, error) {
	sum, sign, want := 0, 1, true // want an operand
	for _, w := range strings.Fields(text) {
		if w == "+" || w == "-" {
			if want {
				return 0, fmt.Errorf("%q: %s where a value is due", text, w)
			}
			sign, want = 1, true
			if w == "-" {
				sign = -1
			}
			continue
		}
		if !want {
			return 0, fmt.Errorf("%q: %s where + or - is due", text, w)
		}
		name, optional := strings.CutSuffix(w, "?")
		v, ok := values[name]
		if !ok && !optional {
			n, err := strconv.Atoi(w)
			if err != nil {
				return 0, fmt.Errorf("%q: there is no timing %q", text, w)
			}
			v = n
		}
		sum, want = sum+sign*v, false
	}
	if want {
		return 0, fmt.Errorf("%q ends where a value is due", text)
	}
	return sum, nil
}
