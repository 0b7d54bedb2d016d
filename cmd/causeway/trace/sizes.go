package trace

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// mostSizes bounds a rule; more is a slip of the pen.
const mostSizes = 1000

// mrcSizes reads "64KiB,1MiB" or "{from: 64KiB, to: 1MiB, times: 2}". Sizes of the
// rule are rounded down to multiples of unit bytes, and those that are equal then
// count once.
func mrcSizes(text string, unit uint64) ([]uint64, error) {
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("--sizes is missing (want for example 64KiB,1MiB or {from: 64KiB, to: 1MiB, times: 2})")
	}
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		var out []uint64
		var errs []error
		for x := range strings.SplitSeq(text, ",") {
			n, err := units.ParseBytes(strings.TrimSpace(x))
			if err != nil {
				errs = append(errs, fmt.Errorf("--sizes: %w", err))
			}
			out = append(out, uint64(n))
		}
		return out, errors.Join(errs...)
	}
	v, err := configs.ParseValue("--sizes", []byte(text))
	if err != nil {
		return nil, err
	}
	var r struct {
		From  units.Bytes `yaml:"from"`
		To    units.Bytes `yaml:"to"`
		Times float64     `yaml:"times"`
	}
	if err := v.Decode(&r); err != nil {
		return nil, err
	}
	switch {
	case !(r.Times > 1):
		return nil, v.Errorf(nil, "times must be above 1")
	case uint64(r.From) < unit:
		return nil, v.Errorf(nil, "from must be at least %d B", unit)
	case r.To < r.From:
		return nil, v.Errorf(nil, "to (%s) is below from (%s)", r.To, r.From)
	}
	var out []uint64
	for i, n := 0, float64(r.From); n <= float64(r.To)*(1+1e-12); i, n = i+1, float64(r.From)*math.Pow(r.Times, float64(i+1)) {
		if i == mostSizes {
			return nil, v.Errorf(nil, "the rule gives more than %d sizes", mostSizes)
		}
		size := uint64(math.Round(n)) / unit * unit
		if len(out) == 0 || size > out[len(out)-1] {
			out = append(out, size)
		}
	}
	return out, nil
}
