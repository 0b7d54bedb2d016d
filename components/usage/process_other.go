//go:build !linux

package usage

import "github.com/causeway-sim/causeway/components/units"

// KnowsOthers reports whether Resident works.
const KnowsOthers = false

// Resident is unknown here.
func Resident(int) units.Bytes { return 0 }

// Free is unknown here.
func Free() units.Bytes { return 0 }
