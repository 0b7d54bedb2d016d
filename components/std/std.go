// Package std links every built-in node kind into a program. It is the only
// list of them: a new kind adds its line here.
package std

import (
	_ "github.com/causeway-sim/causeway/memory/ideal" // kind memory, fidelity ideal
)
