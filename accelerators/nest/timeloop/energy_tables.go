package timeloop

import (
	"os"
	"path/filepath"
	"strings"
)

// Beside finds the tables of energy and area that lie in the folder of an input:
// ERT.yaml and ART.yaml, or the one file whose name ends so, as in
// timeloop-mapper.ERT.yaml. "" where there is none, or more than one.
func Beside(input string) (ert, art string) {
	return tableNextTo(input, "ERT.yaml"), tableNextTo(input, "ART.yaml")
}

func tableNextTo(input, name string) string {
	dir := filepath.Dir(input)
	plain := filepath.Join(dir, name)
	if _, err := os.Stat(plain); err == nil {
		return plain
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	found := ""
	for _, e := range list {
		if strings.HasSuffix(e.Name(), "."+name) {
			if found != "" {
				return ""
			}
			found = filepath.Join(dir, e.Name())
		}
	}
	return found
}
