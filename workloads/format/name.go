package format

import (
	"fmt"
	"path/filepath"
	"strings"
)

// GraphName returns the name of the graph: Options.Name, or that of the file.
func GraphName(o Options, file string) string {
	if o.Name != "" {
		return o.Name
	}
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// UniqueName returns name, with _2, _3, ... where it was used before.
func UniqueName(used map[string]int, name string) string {
	for try := name; ; try = fmt.Sprintf("%s_%d", name, used[name]) {
		used[name]++
		if try == name && used[name] == 1 {
			return name
		}
		if try != name && used[try] == 0 {
			used[try]++
			return try
		}
	}
}
