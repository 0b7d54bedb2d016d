package configs

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Resolved returns the configuration as canonical YAML. Everything is filled in. Keys have a fixed
// order: that of the language at the top, name and kind first in a node, else alphabetical; nodes
// are sorted by name, numbers by value. Files with the same meaning resolve to the same bytes, and
// those bytes resolve to themselves.
func (d *Document) Resolved() []byte {
	root := d.Root.n.mapped(func(key string, n *node) *node {
		switch key {
		case "nodes", "links":
			return sortItems(key, n)
		case "groups":
			return n.mapped(func(_ string, g *node) *node {
				return g.mapped(func(key string, n *node) *node {
					if key == "nodes" || key == "links" {
						return sortItems(key, n)
					}
					return n
				})
			})
		}
		return n
	})
	var b bytes.Buffer
	writeMap(&b, root, 0, d.loader.opts.known())
	return b.Bytes()
}

// Canonical is the value as canonical YAML.
func (v Value) Canonical() []byte {
	var b bytes.Buffer
	switch {
	case !v.Exists():
	case v.Kind() == Map && len(v.n.entries) > 0:
		writeMap(&b, v.n, 0, headKeys)
	case v.Kind() == List && len(v.n.items) > 0:
		writeList(&b, v.n, 0)
	default:
		b.WriteString(scalarText(v.n) + "\n")
	}
	return b.Bytes()
}

// sortItems sorts nodes by name, and links, whose order means nothing either, by
// their text.
func sortItems(key string, list *node) *node {
	out := *list
	out.items = slices.Clone(list.items)
	name := func(n *node) string {
		if n.kind == String {
			return n.text
		}
		if x := n.get(map[string]string{"nodes": "name", "links": "link"}[key]); x != nil {
			return x.text
		}
		return ""
	}
	slices.SortStableFunc(out.items, func(a, b *node) int { return CompareNames(name(a), name(b)) })
	return &out
}

// headKeys come first in a mapping, in this order.
var headKeys = []string{"name", "tier", "link", "index", "kind", "fidelity", "group", "count", "params"}

func writeMap(b *bytes.Buffer, n *node, indent int, head []string) {
	entries := slices.Clone(n.entries)
	rank := func(key string) int {
		if i := slices.Index(head, key); i >= 0 {
			return i
		}
		return len(head)
	}
	slices.SortFunc(entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(rank(x.key), rank(y.key)), strings.Compare(x.key, y.key))
	})
	for i, e := range entries {
		if i > 0 || indent == 0 {
			b.WriteString(strings.Repeat(" ", indent))
		}
		b.WriteString(quote(e.key) + ":")
		writeBelow(b, e.val, indent)
	}
}

// writeBelow writes the value of a key that stands at indent.
func writeBelow(b *bytes.Buffer, n *node, indent int) {
	switch {
	case n.kind == Map && len(n.entries) > 0:
		b.WriteString("\n" + strings.Repeat(" ", indent+2))
		writeMap(b, n, indent+2, headKeys)
	case n.kind == List && len(n.items) > 0:
		b.WriteString("\n")
		writeList(b, n, indent+2)
	default:
		b.WriteString(" " + scalarText(n) + "\n")
	}
}

func writeList(b *bytes.Buffer, n *node, indent int) {
	for _, x := range n.items {
		b.WriteString(strings.Repeat(" ", indent) + "-")
		switch {
		case x.kind == Map && len(x.entries) > 0:
			b.WriteString(" ")
			writeMap(b, x, indent+2, headKeys)
		case x.kind == List && len(x.items) > 0:
			b.WriteString("\n")
			writeList(b, x, indent+2)
		default:
			b.WriteString(" " + scalarText(x) + "\n")
		}
	}
}

func scalarText(n *node) string {
	switch n.kind {
	case Map:
		return "{}"
	case List:
		return "[]"
	case Null:
		return "null"
	case String:
		if n.literal {
			return quote(strings.ReplaceAll(n.text, "$", "$$"))
		}
		return quote(n.text)
	}
	return n.text
}

// isPlain is what needs no quotes in the eyes of any reader of YAML.
var isPlain = regexp.MustCompile(`^[A-Za-z_/$][A-Za-z0-9_./$%@()\[\]{}<>=+*^-]*( (->|[A-Za-z0-9_/$][A-Za-z0-9_./$%@()\[\]{}<>=+*^-]*))*$`)

// isWord reports whether some YAML readers do not parse the word as text.
var isWord = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null)$`)

// isQuantity is a number and a unit, 940MHz: no number, which would end in a
// digit.
var isQuantity = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?[A-Za-z][A-Za-z/]*$`)

func quote(s string) string {
	if isPlain.MatchString(s) && !isWord.MatchString(s) || isQuantity.MatchString(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString("\\" + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r) && r != '\uFEFF':
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
