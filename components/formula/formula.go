package formula

import (
	"fmt"
	"slices"
	"strings"
)

// A Formula is a parsed formula. Several goroutines may use it.
type Formula struct {
	text string
	root *node
}

type node struct {
	token
	args []*node
}

// Parse parses a formula. The error is an *Error.
func Parse(s string) (*Formula, error) {
	tokens, err := lex(s)
	if err != nil {
		return nil, err
	}
	p := parser{tokens: tokens}
	root, err := p.binary(0)
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != end {
		return nil, &Error{t.at, fmt.Sprintf("%s where an operator or the end was expected", t.word)}
	}
	return &Formula{s, root}, nil
}

// String is the text that Parse got.
func (f *Formula) String() string { return f.text }

// Condition reports whether the formula is a condition, not a quantity.
func (f *Formula) Condition() bool { return f.root.condition() }

func (n *node) condition() bool {
	return n.kind == symbol && slices.Contains([]string{"and", "or", "not", "==", "!=", "<", "<=", ">", ">="}, n.word)
}

// A Name is a path in a formula, with its byte offset.
type Name struct {
	Path string
	At   int
}

// Names lists the paths of the formula, each once, at its first place.
func (f *Formula) Names() (out []Name) {
	var walk func(n *node)
	walk = func(n *node) {
		if n.kind == path && !slices.ContainsFunc(out, func(o Name) bool { return o.Path == n.word }) {
			out = append(out, Name{n.word, n.at})
		}
		for _, a := range n.args {
			walk(a)
		}
	}
	walk(f.root)
	return out
}

// Eval evaluates the formula; look returns the value of a path. The error is an *Error.
func (f *Formula) Eval(look func(path string) (Value, bool)) (Value, error) {
	return f.root.eval(look)
}

func (n *node) eval(look func(path string) (Value, bool)) (Value, error) {
	switch n.kind {
	case number, text:
		return n.val, nil
	case path:
		v, ok := look(n.word)
		if !ok {
			return Value{}, &Error{n.at, fmt.Sprintf("%s has no value", n.word)}
		}
		return v, nil
	}
	var args []Value
	for _, a := range n.args {
		v, err := a.eval(look)
		if err != nil {
			return Value{}, err
		}
		args = append(args, v)
	}
	if len(args) == 1 {
		if n.word == "not" && args[0].kind == isCondition {
			return truth(args[0].X > 0), nil
		}
		if n.word == "-" && args[0].kind == isNumber {
			return Number(-args[0].X, args[0].Unit), nil
		}
		return Value{}, &Error{n.at, fmt.Sprintf("%s cannot stand in front of %s", n.word, args[0])}
	}
	v, err := apply(n.word, args[0], args[1])
	if err != nil {
		return Value{}, &Error{n.at, err.Error()}
	}
	return v, nil
}

// levels are the binary operators, the loosest first. not stands between and and the
// comparisons, which do not chain.
var levels = [][]string{{"or"}, {"and"}, {"==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}

const comparison = 2

// maxDepth bounds nesting, so that no formula exhausts the stack.
const maxDepth = 200

type parser struct {
	tokens []token
	at     int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	p.at++
	return t
}

func (p *parser) binary(level int) (*node, error) {
	if level == len(levels) {
		return p.unary()
	}
	if t := p.peek(); level == comparison && t.kind == symbol && t.word == "not" {
		p.take()
		if p.depth++; p.depth > maxDepth {
			return nil, &Error{t.at, "is nested too deep"}
		}
		x, err := p.binary(comparison)
		p.depth--
		return &node{t, []*node{x}}, err
	}
	left, err := p.binary(level + 1)
	for err == nil {
		t := p.peek()
		if t.kind != symbol || !slices.Contains(levels[level], t.word) {
			return left, nil
		}
		p.take()
		var right *node
		if right, err = p.binary(level + 1); err != nil {
			break
		}
		left = &node{t, []*node{left, right}}
		if next := p.peek(); level == comparison && next.kind == symbol && slices.Contains(levels[level], next.word) {
			return nil, &Error{next.at, fmt.Sprintf("%s after a comparison: want and between two (a < b and b < c)", next.word)}
		}
	}
	return nil, err
}

func (p *parser) unary() (*node, error) {
	t := p.take()
	switch {
	case t.kind == number, t.kind == text, t.kind == path:
		return &node{token: t}, nil
	case t.kind == symbol && (t.word == "-" || t.word == "("):
		if p.depth++; p.depth > maxDepth {
			return nil, &Error{t.at, "is nested too deep"}
		}
		defer func() { p.depth-- }()
		if t.word == "-" {
			x, err := p.unary()
			return &node{t, []*node{x}}, err
		}
		x, err := p.binary(0)
		if err != nil {
			return nil, err
		}
		if c := p.take(); c.word != ")" || c.kind != symbol {
			return nil, &Error{c.at, fmt.Sprintf("%s where the ) of the ( at %d was expected", c.word, t.at+1)}
		}
		return x, nil
	}
	if t.kind == end {
		p.at-- // it is asked for again
	}
	return nil, &Error{t.at, fmt.Sprintf("%s where a number, a path, a \"text\" or ( was expected", strings.TrimSpace(t.word))}
}
