package cost

import (
	"fmt"
	"math"
)

// diesPerWafer is the number of whole dies of an area (mm2) on a wafer of a diameter (mm), the outer
// ring of which (mm) is not used: those that fit by area, less those along the rim.
//
// Source: Hennessy and Patterson, 5th edition, section 1.6.
func diesPerWafer(area, diameter, ring float64) (float64, error) {
	d := diameter - 2*ring
	n := math.Pi*d*d/4/area - math.Pi*d/math.Sqrt(2*area)
	if d <= 0 || n < 1 {
		return 0, fmt.Errorf("no die of %.4g mm2 fits on a wafer of %.4g mm", area, max(d, 0))
	}
	return math.Floor(n), nil
}
