package sweep

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
)

// canMeasure reports whether memoryOf works.
const canMeasure = true

// memoryOf is the memory that a process has in use (its resident set), 0 where it is gone.
func memoryOf(pid int) units.Bytes {
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
