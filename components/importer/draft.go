package importer

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Draft is a configuration of ours in the making.
type Draft struct {
	Title, Of string // the tool, and what was imported
	Unknown   []Left // keys that the tool does not know
	Left      []Left // what was not carried over, or not as it is
	Same      []string
	// Files are those that the configuration needs and the tool has in another format, by name:
	// they are written besides the configuration.
	Files map[string][]byte

	unknown  string   // what the tool does with Unknown
	stem     string   // of the names of Files
	comments []string // all that Set was given
	sections []*Block // of the top level
	nodes    []*Block
	links    []string
}

// A Block is a mapping: a section, or a node.
type Block struct {
	of   *Draft
	name string
	root *yaml.Node
}

func (d *Draft) block(name string) *Block {
	return &Block{d, name, &yaml.Node{Kind: yaml.MappingNode}}
}

// Section is a section of the top level.
func (d *Draft) Section(name string) *Block {
	for _, s := range d.sections {
		if s.name == name {
			return s
		}
	}
	d.sections = append(d.sections, d.block(name))
	return d.sections[len(d.sections)-1]
}

// Node begins a node.
func (d *Draft) Node(name, kind string) *Block {
	n := d.block(name)
	n.Set("name", name, "")
	n.Set("kind", kind, "")
	d.nodes = append(d.nodes, n)
	return n
}

// Link adds a link.
func (d *Draft) Link(link string) { d.links = append(d.links, link) }

// File adds a file that is written besides the configuration, and returns its name there. The name
// begins with that of the configuration, so that two of them may lie in one folder.
func (d *Draft) File(name string, text []byte) string {
	if d.stem != "" {
		name = d.stem + "." + name
	}
	if d.Files == nil {
		d.Files = map[string][]byte{}
	}
	d.Files[name] = text
	return name
}

// Set sets a key; dots lead into mappings. The comment says where the value comes from. The value
// is a text, a number, true or false, a list of numbers, or a value of YAML.
func (b *Block) Set(path string, value any, comment string) {
	at := b.root
	keys := strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		at = inside(at, key)
	}
	v, ok := value.(*yaml.Node)
	if !ok {
		v = &yaml.Node{}
		if err := v.Encode(value); err != nil {
			panic("importer: " + path + ": " + err.Error())
		}
	}
	if v.Kind != yaml.ScalarNode {
		v.Style = yaml.FlowStyle
	}
	v.LineComment = comment
	b.of.comments = append(b.of.comments, comment)
	key := &yaml.Node{Kind: yaml.ScalarNode, Value: keys[len(keys)-1]}
	at.Content = append(at.Content, key, v)
}

// From sets a key to what a value came to.
func (b *Block) From(path string, value any, v Value) { b.Set(path, value, v.From()) }

// inside is the mapping under a key, made if there is none.
func inside(at *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(at.Content); i += 2 {
		if at.Content[i].Value == key {
			return at.Content[i+1]
		}
	}
	m := &yaml.Node{Kind: yaml.MappingNode}
	at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, m)
	return m
}

// Bytes is the configuration as YAML.
func (d *Draft) Bytes() ([]byte, error) {
	root := &yaml.Node{Kind: yaml.MappingNode}
	add := func(key string, v *yaml.Node) {
		root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, v)
	}
	add("schema", &yaml.Node{Kind: yaml.ScalarNode, Value: "causeway/1"})
	for _, s := range d.sections {
		add(s.name, s.root)
	}
	nodes := &yaml.Node{Kind: yaml.SequenceNode}
	for _, n := range d.nodes {
		nodes.Content = append(nodes.Content, n.root)
	}
	add("nodes", nodes)
	if len(d.links) > 0 {
		links := &yaml.Node{Kind: yaml.SequenceNode}
		for _, l := range d.links {
			links.Content = append(links.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: l})
		}
		add("links", links)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s, imported from %s by causeway import.\n", d.Title, d.Of)
	for line := range strings.Lines(d.Account()) {
		out.WriteString("# " + line)
	}
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(root), e.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Account is what the tool does not know, what was not carried over, by reason, and what is the
// same here.
func (d *Draft) Account() string {
	var b strings.Builder
	if len(d.Unknown) > 0 {
		fmt.Fprintf(&b, "Unknown keys, which are not carried over (%s):\n", d.unknown)
		for _, l := range d.Unknown {
			fmt.Fprintf(&b, "    %s%s\n", l.Setting(), didYouMean(l.Nearest))
		}
	}
	switch {
	case len(d.Left) > 0:
		b.WriteString("Not carried over, or not as it is:\n")
	case len(d.Same) == 0 && len(d.Unknown) == 0:
		b.WriteString("Every key was carried over.\n")
	}
	for _, r := range Reasons(d.Left) {
		fmt.Fprintf(&b, "- %s\n", r.Why)
		for _, l := range r.Left {
			fmt.Fprintf(&b, "    %s\n", l.Setting())
		}
	}
	if len(d.Same) > 0 {
		fmt.Fprintf(&b, "Always so here: %s\n", strings.Join(d.Same, ", "))
	}
	return b.String()
}

// names reports whether a comment names a setting.
func (d *Draft) names(key string) bool {
	return slices.ContainsFunc(d.comments, func(c string) bool { return strings.Contains(c, key) })
}

// FileNames are the names of the further files, sorted.
func (d *Draft) FileNames() []string {
	var names []string
	for name := range d.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
