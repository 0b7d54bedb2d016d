package configs

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A step is one part of the path of an override: Core, Core[0..3], rows.
type step struct {
	key    string
	sel    string // what stands in the brackets
	hasSel bool
}

func (s step) String() string {
	key := s.key
	if strings.ContainsAny(key, `.[]="`) {
		key = strconv.Quote(key)
	}
	if s.hasSel {
		key += "[" + s.sel + "]"
	}
	return key
}

// parsePath cuts Chip[1].Core.sram.ifmap into steps. A key with dots is
// written in quotes.
func parsePath(path string) ([]step, error) {
	var out []step
	rest := path
	for {
		var s step
		if strings.HasPrefix(rest, `"`) {
			q, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, fmt.Errorf("a quote without its end in %q", path)
			}
			s.key, _ = strconv.Unquote(q)
			rest = rest[len(q):]
		} else {
			i := strings.IndexAny(rest, ".[")
			if i < 0 {
				i = len(rest)
			}
			s.key, rest = rest[:i], rest[i:]
		}
		if s.key == "" || strings.ContainsAny(s.key, " \t]\"") {
			return nil, fmt.Errorf("%q is no path such as cores, workload.batch, Core.rows or Core[2].rows", path)
		}
		if strings.HasPrefix(rest, "[") {
			i := strings.IndexByte(rest, ']')
			if i < 0 {
				return nil, fmt.Errorf("a [ without its ] in %q", path)
			}
			s.sel, s.hasSel, rest = rest[1:i], true, rest[i+1:]
			if err := checkSelection(s.sel); err != nil {
				return nil, err
			}
		}
		if out = append(out, s); len(out) > maxDepth {
			return nil, fmt.Errorf("%.40q... has more than %d steps", path, maxDepth)
		}
		if rest == "" {
			return out, nil
		}
		if rest[0] != '.' {
			return nil, fmt.Errorf("%q is no path: %q after a step", path, rest)
		}
		rest = rest[1:]
	}
}

func checkSelection(s string) error {
	for part := range strings.SplitSeq(s, ",") {
		if _, _, _, err := span(strings.TrimSpace(part)); err != nil {
			return err
		}
	}
	return nil
}

// isNode reports whether a name is that of a node: it starts with a capital.
func isNode(key string) bool {
	r, _ := utf8.DecodeRuneInString(key)
	return unicode.IsUpper(r)
}
