package booksim

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
)

// A statement is one assignment: KEY = VALUE;
type statement struct {
	key, value string
	line       int
}

// parse reads the statements of a file. A comment goes from // to the end of the line.
func parse(text string) ([]statement, error) {
	var out []statement
	var open strings.Builder
	line, begin := 0, 0
	for l := range strings.Lines(text) {
		line++
		l, _, _ = strings.Cut(l, "//")
		for {
			part, rest, ends := strings.Cut(l, ";")
			if strings.TrimSpace(open.String()) == "" && strings.TrimSpace(part) != "" {
				begin = line
			}
			open.WriteString(part)
			if !ends {
				break
			}
			if strings.TrimSpace(open.String()) != "" {
				s, err := assignment(open.String(), begin)
				if err != nil {
					return nil, err
				}
				out = append(out, s)
			}
			open.Reset()
			l = rest
		}
	}
	if strings.TrimSpace(open.String()) != "" {
		return nil, fmt.Errorf("%d: %q has no ; at its end", begin, strings.TrimSpace(open.String()))
	}
	return out, nil
}

func assignment(text string, line int) (statement, error) {
	key, value, ok := strings.Cut(text, "=")
	key, value = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"`)
	if !ok || key == "" || strings.ContainsAny(key, " \t{}()\"'") {
		return statement{}, fmt.Errorf("%d: %q is not KEY = VALUE;", line, strings.TrimSpace(text))
	}
	return statement{key, value, line}, nil
}

// recognise wants a file of statements alone, of which two or more set keys of the tool.
func recognise(f importer.File) bool {
	all, err := parse(f.Text)
	if err != nil {
		return false
	}
	known := map[string]bool{}
	for _, k := range keys {
		known[k.Name] = true
	}
	n := 0
	for _, s := range all {
		if known[s.key] {
			n++
		}
	}
	return n >= 2
}
