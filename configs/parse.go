package configs

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds on one file, so that a few lines of aliases of aliases cannot fill
// the memory.
const (
	maxNodes = 1 << 18 // values, counting an anchored one once per use
	maxKeys  = 1 << 12 // in one mapping
	maxDepth = 100
)

// ParseValue parses one YAML document into a tree with places, without parameters and extends.
// name is the file name in errors.
func ParseValue(name string, src []byte) (Value, error) {
	return ParseWith(nil, name, src)
}

// ParseWith is like ParseValue, with another reader than that of SetReader; nil is that one.
func ParseWith(read Reader, name string, src []byte) (Value, error) {
	p := parser{file: name, read: read, anchors: map[*TextNode]*node{}}
	n := p.document(src)
	if err := p.errs.Err(); err != nil {
		return Value{}, err
	}
	return Value{n: n}, nil
}

// ParseTagged is like ParseValue, but mappings may have one of the local tags given: !Container.
// Value.Tag returns it.
func ParseTagged(name string, src []byte, tags ...string) (Value, error) {
	p := parser{file: name, anchors: map[*TextNode]*node{}, tags: tags}
	n := p.document(src)
	if err := p.errs.Err(); err != nil {
		return Value{}, err
	}
	return Value{n: n}, nil
}

type parser struct {
	file    string
	read    Reader   // nil: that of SetReader
	tags    []string // local tags that mappings may have
	set     int      // number of the --set the text comes from; 0: a file
	anchors map[*TextNode]*node
	errs    Errors
	path    []string // path of the current value, for messages
}

func (p *parser) fail(pos Pos, msg string) *node {
	p.errs.Add(&Error{Pos: pos, Path: joinPath(p.path), Msg: msg})
	return &node{pos: pos, bad: true, size: 1}
}

func (p *parser) pos(y *TextNode) Pos {
	if p.set > 0 {
		return Pos{File: p.file, Line: p.set}
	}
	return Pos{p.file, y.Line, y.Column}
}

func (p *parser) start() Pos { return p.pos(&TextNode{Line: 1, Column: 1}) }

func (p *parser) document(src []byte) *node {
	if i := badByte(src); i >= 0 {
		at := p.start()
		if p.set == 0 {
			at.Line = 1 + bytes.Count(src[:i], []byte("\n"))
			at.Col = i - bytes.LastIndexByte(src[:i], '\n')
		}
		return p.fail(at, fmt.Sprintf("byte 0x%02x does not belong into UTF-8 text", src[i]))
	}
	read := p.read
	if read == nil {
		read = readText
	}
	if read == nil {
		return p.fail(p.start(), noReader)
	}
	docs, err := read(src)
	switch {
	case err != nil:
		return p.fail(p.syntax(err, src))
	case len(docs) > 1:
		return p.fail(p.pos(docs[1]), "a second document; one file holds one")
	case len(docs) == 0 || len(docs[0].Content) == 0:
		return p.fail(p.start(), "is empty")
	}
	y := docs[0].Content[0]
	if p.set > 0 && (y.Shape == MappingNode || y.Shape == SequenceNode) && !y.Flow {
		return p.fail(p.pos(y), "is read as a mapping or list: put it in braces, brackets or quotes")
	}
	return p.node(y)
}

// badByte is the place of the first byte that is not UTF-8 or is a NUL, or -1.
// The reader underneath also takes UTF-16, which has no place here.
func badByte(src []byte) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 || r == 0 {
			return i
		}
		i += n
	}
	return -1
}

func (p *parser) node(y *TextNode) *node {
	if len(p.path) > maxDepth {
		p.path = p.path[:1]
		return p.fail(p.pos(y), "nested deeper than "+strconv.Itoa(maxDepth)+" levels")
	}
	if y.Shape == AliasNode {
		return p.alias(y)
	}
	if y.Anchor != "" {
		p.anchors[y] = nil // under way: an alias to it now is a cycle
	}
	n := p.content(y)
	if n.size > maxNodes {
		n = p.fail(n.pos, "more than "+strconv.Itoa(maxNodes)+" values")
	}
	if y.Anchor != "" {
		p.anchors[y] = n
	}
	return n
}

// inside reads a value under a key or index.
func (p *parser) inside(step string, y *TextNode) *node {
	old := p.path
	p.path = append(p.path, step)
	n := p.node(y)
	p.path = old
	return n
}

func joinPath(steps []string) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 && s[0] != '[' {
			b.WriteByte('.')
		}
		b.WriteString(s)
	}
	return b.String()
}

func (p *parser) content(y *TextNode) *node {
	switch y.Shape {
	case MappingNode:
		if slices.Contains(p.tags, y.Tag) {
			n := p.mapping(y)
			n.tag = y.Tag
			return n
		}
		if y.Tag != "!!map" && y.Tag != "" {
			return p.fail(p.pos(y), "tag "+y.Tag+" is not known here")
		}
		return p.mapping(y)
	case SequenceNode:
		if y.Tag != "!!seq" && y.Tag != "" {
			return p.fail(p.pos(y), "tag "+y.Tag+" is not known here")
		}
		n := &node{kind: List, pos: p.pos(y), size: 1, items: make([]*node, 0, len(y.Content))}
		for i, c := range y.Content {
			x := p.inside("["+strconv.Itoa(i)+"]", c)
			n.items = append(n.items, x)
			n.size += x.size
		}
		return n
	}
	return p.scalar(y)
}

// alias shares the anchored node; only its size is counted again.
func (p *parser) alias(y *TextNode) *node {
	n, ok := p.anchors[y.Alias]
	if !ok || n == nil {
		return p.fail(p.pos(y), "anchor "+y.Value+" holds itself")
	}
	return n
}

func (p *parser) scalar(y *TextNode) *node {
	n := &node{kind: String, text: y.Value, pos: p.pos(y), size: 1}
	if y.Tagged {
		if y.Tag == "!!str" {
			return n
		}
		return p.fail(n.pos, "tag "+y.Tag+" is not known here")
	}
	if y.Quoted {
		return n
	}
	if y.Value == "" {
		return p.fail(n.pos, "has no value")
	}
	kind, text, err := classify(y.Value)
	if err != nil {
		return p.fail(n.pos, err.Error())
	}
	n.kind, n.text = kind, text
	return n
}

func (p *parser) mapping(y *TextNode) *node {
	n := &node{kind: Map, pos: p.pos(y), size: 1, entries: make([]entry, 0, len(y.Content)/2)}
	if len(y.Content)/2 > maxKeys {
		return p.fail(n.pos, "more than "+strconv.Itoa(maxKeys)+" keys")
	}
	seen := make(map[string]Pos, len(y.Content)/2)
	var below []*node // from <<, first wins
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, val := y.Content[i], y.Content[i+1]
		at := p.pos(k)
		if k.Shape == AliasNode {
			k = k.Alias
		}
		if k.Shape != ScalarNode || k.Value == "" {
			p.fail(at, "a key must be a word")
			continue
		}
		if k.Value == "<<" && k.Plain || k.Tag == "!!merge" {
			below = append(below, p.merged(val)...)
			continue
		}
		x := p.inside(k.Value, val)
		if first, dup := seen[k.Value]; dup {
			p.path = append(p.path, k.Value)
			p.fail(at, "duplicate key (first at "+first.String()+")")
			p.path = p.path[:len(p.path)-1]
			continue
		}
		seen[k.Value] = at
		n.entries = append(n.entries, entry{k.Value, at, x})
		n.size += x.size
	}
	for _, b := range below {
		for _, e := range b.entries {
			if _, own := seen[e.key]; !own {
				seen[e.key] = e.pos
				n.entries = append(n.entries, e)
				n.size += e.val.size
			}
		}
	}
	return n
}

// merged is what a merge key << brings in.
func (p *parser) merged(y *TextNode) []*node {
	n := p.node(y)
	switch {
	case n.kind == Map:
		return []*node{n}
	case n.kind == List:
		for _, x := range n.items {
			if x.kind != Map && !x.bad {
				p.fail(x.pos, "<< takes mappings")
			}
		}
		return n.items
	case !n.bad:
		p.fail(n.pos, "<< takes a mapping")
	}
	return nil
}
