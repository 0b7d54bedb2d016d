//go:build !linux

package sweep

import "github.com/causeway-sim/causeway/components/units"

// canMeasure reports whether memoryOf works.
const canMeasure = false

func memoryOf(int) units.Bytes { return 0 }
