package site

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// changed returns the text of a configuration with values set, path and value each. All other
// text stays as it is, with its comments. A key that the text lacks is added to its mapping.
func changed(text string, set [][2]string) (string, error) {
	for _, s := range set {
		var err error
		if text, err = changedOne(text, s[0], s[1]); err != nil {
			return "", err
		}
	}
	return text, nil
}

var errElsewhere = errors.New("the file does not hold it: it comes from another file or a group")

// changedOne sets one value. The first part of path is a node, a section or a parameter.
func changedOne(text, path, value string) (string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return "", err
	}
	if len(doc.Content) == 0 {
		return "", errElsewhere
	}
	at, rest := start(doc.Content[0], strings.Split(path, "."))
	if at == nil {
		return "", errElsewhere
	}
	for {
		v := valueOf(at, rest[0])
		if v == nil {
			return added(text, at, rest, value)
		}
		rest = rest[1:]
		switch {
		case v.Anchor != "" || v.Kind == yaml.AliasNode:
			return "", errElsewhere // others have the same value
		case len(rest) == 0 && v.Kind == yaml.ScalarNode && v.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) == 0:
			return replaced(text, v, written(value))
		case len(rest) == 0 || v.Kind != yaml.MappingNode:
			return "", errElsewhere
		}
		at = v
	}
}

// start finds the mapping that the first part of a path names, and the parts below it.
func start(root *yaml.Node, path []string) (at *yaml.Node, rest []string) {
	if len(path) == 1 {
		at = valueOf(root, "params")
		if at == nil || valueOf(at, path[0]) == nil {
			return nil, nil
		}
		return at, path
	}
	if nodes := valueOf(root, "nodes"); nodes != nil && nodes.Kind == yaml.SequenceNode {
		for _, n := range nodes.Content {
			if name := valueOf(n, "name"); name != nil && name.Value == path[0] {
				return n, path[1:]
			}
		}
	}
	if at = valueOf(root, path[0]); at == nil || at.Kind != yaml.MappingNode {
		return nil, nil
	}
	return at, path[1:]
}

// valueOf is the value of a key of a mapping, or nil.
func valueOf(m *yaml.Node, key string) *yaml.Node {
	for i := 0; m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// offset is the place in text of a line and a column, which count from 1.
func offset(text string, line, column int) (int, bool) {
	at := 0
	for range line - 1 {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return 0, false
		}
		at += next + 1
	}
	for range column - 1 {
		if at >= len(text) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at, true
}

// replaced writes value in place of a scalar.
func replaced(text string, v *yaml.Node, value string) (string, error) {
	at, ok := offset(text, v.Line, v.Column)
	if !ok {
		return "", errElsewhere
	}
	long := len(v.Value)
	if quote := text[at : at+1]; v.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		end := strings.Index(text[at+1:], quote)
		if end < 0 {
			return "", errElsewhere
		}
		long = end + 2
	} else if !strings.HasPrefix(text[at:], v.Value) {
		return "", errElsewhere // of several lines
	}
	return text[:at] + value + text[at+long:], nil
}

// added writes a key in front of the second one of a mapping, because the first is the name of
// a node in most.
func added(text string, m *yaml.Node, path []string, value string) (string, error) {
	if len(m.Content) == 0 {
		return "", errElsewhere
	}
	value = written(value)
	for _, key := range slices.Backward(path[1:]) {
		value = "{" + key + ": " + value + "}"
	}
	before := m.Content[min(2, len(m.Content)-2)]
	at, ok := offset(text, before.Line, before.Column)
	if !ok {
		return "", errElsewhere
	}
	between := ", "
	if m.Style&yaml.FlowStyle == 0 {
		between = "\n" + strings.Repeat(" ", before.Column-1)
	}
	return text[:at] + path[0] + ": " + value + between + text[at:], nil
}

// written is a value as YAML that may stand in a flow mapping: a list or a mapping as it is, text
// in quotes where it needs them.
func written(value string) string {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(value), &doc) == nil && len(doc.Content) == 1 && doc.HeadComment == "" {
		switch n := doc.Content[0]; {
		case n.Kind == yaml.ScalarNode && n.Value == value && !strings.ContainsAny(value, ",[]{}#\n"),
			n.Style&yaml.FlowStyle != 0:
			return value
		}
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}

// same reports whether two resolved configurations have the same content, in any order of keys.
func same(a, b []byte) bool {
	var x, y any
	return yaml.Unmarshal(a, &x) == nil && yaml.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
