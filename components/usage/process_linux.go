package usage

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
)

// KnowsOthers reports whether Resident works on this operating system.
const KnowsOthers = true

// Resident returns the resident memory of a process; 0 if there is no such process.
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

// Free returns the memory that is available without swapping; 0 if the system does not provide it.
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
