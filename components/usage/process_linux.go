package usage

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
)

// KnowsOthers reports whether Resident works.
const KnowsOthers = true

// Resident is the memory that a process has in use (its resident set), 0 where it is gone.
func Resident(pid int) units.Bytes {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	words := strings.Fields(string(b))
	if len(words) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return 0
	}
	return units.Bytes(pages * int64(os.Getpagesize()))
}

// Free is the memory that the machine can still give, without taking it from others; 0 where the
// system does not say.
func Free() units.Bytes {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemAvailable:" {
			n, _ := strconv.ParseUint(f[1], 10, 64)
			return units.Bytes(n << 10)
		}
	}
	return 0
}
