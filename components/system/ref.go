package system

import (
	"fmt"
	"regexp"
	"strings"
)

// A ref is one end of a link as written: Core[0..3].mem, Net.terminal[0..71],
// Bus, and, where a node of a group is meant, Tile[0].Core.
type ref struct {
	nodes []refStep // outermost first; more than one reaches into groups
	port  refStep   // name "" if the port is left out
}

type refStep struct {
	name  string
	index string // what is between the brackets
	some  bool   // there were brackets
}

func (s refStep) String() string {
	if s.some {
		return s.name + "[" + s.index + "]"
	}
	return s.name
}

func (r ref) String() string {
	var b strings.Builder
	for i, n := range r.nodes {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(n.String())
	}
	if r.port.name != "" {
		b.WriteString("." + r.port.String())
	}
	return b.String()
}

// A step is a name and, in brackets, a selection. Dots stand between steps and
// inside of brackets.
var stepText = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*)(?:\[([^\[\]]*)\])?(?:\.|$)`)

// parseRef reads one end of a link. Nodes start with a capital, ports do not.
func parseRef(s string) (ref, error) {
	var r ref
	rest := strings.TrimSpace(s)
	if rest == "" {
		return r, fmt.Errorf("a node is missing")
	}
	for rest != "" {
		m := stepText.FindStringSubmatch(rest)
		if m == nil || m[0] == rest && strings.HasSuffix(rest, ".") {
			return r, fmt.Errorf("%q is no node and port", strings.TrimSpace(s))
		}
		step := refStep{m[1], m[2], strings.Contains(m[0], "[")}
		rest = rest[len(m[0]):]
		capital := step.name[0] <= 'Z'
		switch {
		case capital && r.port.name != "":
			return r, fmt.Errorf("node %q stands behind port %q", step.name, r.port.name)
		case capital:
			r.nodes = append(r.nodes, step)
		case len(r.nodes) == 0:
			return r, fmt.Errorf("%q is no node: names of nodes start with a capital", step.name)
		case r.port.name != "":
			return r, fmt.Errorf("%q names two ports, %s and %s", strings.TrimSpace(s), r.port.name, step.name)
		default:
			r.port = step
		}
	}
	return r, nil
}
