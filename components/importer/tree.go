package importer

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Tree reads YAML or JSON. It is nil, without an error, if the text is neither or no mapping.
func (f File) Tree() *yaml.Node {
	var doc yaml.Node
	if strings.TrimSpace(f.Text) == "" || yaml.Unmarshal([]byte(f.Text), &doc) != nil || len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	return doc.Content[0]
}

// Child is the value of a key of a mapping, nil if it has none.
func Child(m *yaml.Node, key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// AddTree adds the settings of a mapping. The name of a setting is made of the keys on its way; name
// may shorten it. Lists of scalars are one setting, [a, b]; the items of other lists have numbers
// as keys.
func (r *Reader) AddTree(file string, n *yaml.Node, name func(path []string) string) {
	r.addTree(file, n, nil, name)
}

func (r *Reader) addTree(file string, n *yaml.Node, path []string, name func([]string) string) {
	at := func(key string) []string { return append(path[:len(path):len(path)], key) }
	switch {
	case n.Kind == yaml.AliasNode:
		r.addTree(file, n.Alias, path, name)
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			r.addTree(file, n.Content[i+1], at(n.Content[i].Value), name)
		}
	case n.Kind == yaml.SequenceNode && !flat(n):
		for i, item := range n.Content {
			r.addTree(file, item, at(fmt.Sprint(i)), name)
		}
	case n.Kind == yaml.SequenceNode:
		var items []string
		for _, item := range n.Content {
			items = append(items, item.Value)
		}
		r.Add(fmt.Sprintf("%s:%d", file, n.Line), name(path), "["+strings.Join(items, ", ")+"]")
	case n.Tag != "!!null":
		r.Add(fmt.Sprintf("%s:%d", file, n.Line), name(path), n.Value)
	}
}

// flat reports whether a list has scalars alone.
func flat(n *yaml.Node) bool {
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode {
			return false
		}
	}
	return true
}

// List is the value as the items of a list; a scalar is a list of one.
func (v Value) List() []string {
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(v.Text, "["), "]"))
	if text == "" {
		return nil
	}
	items := strings.Split(text, ",")
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return items
}
