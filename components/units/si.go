package units

import "math/big"

// SI parses a quantity of any kind and returns it in its base unit (B, B/s, Hz, s, cycle, FLOP/s,
// J, W, mm2, mm). ok is false for a text that is not a number with a unit.
func SI(text string) (value float64, unit string, ok bool) {
	for _, q := range []struct {
		scales []scale
		unit   string
		per    int64 // finest units in a base unit
	}{
		{byteUnits, "B", 1}, {rateUnits, "B/s", 8}, {hertzUnits, "Hz", 1}, {timeUnits, "s", int64(Second)},
		{cycleUnits, "cycle", 1}, {flopUnits, "FLOP/s", 1}, {jouleUnits, "J", 1}, {wattUnits, "W", 1},
		{areaUnits, "mm2", 1}, {lengthUnits, "mm", 1},
	} {
		if v, _, err := split(text, q.scales); err == nil {
			f, _ := v.Quo(v, big.NewRat(q.per, 1)).Float64()
			return f, q.unit, true
		}
	}
	return 0, "", false
}
