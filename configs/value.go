package configs

import (
	"fmt"
	"strconv"
	"strings"
)

// A Kind is the kind of a value.
type Kind uint8

// The kinds. An absent value has kind Null.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
)

var kindNames = [...]string{"nothing", "true or false", "a whole number", "a number", "text", "a list", "a mapping"}

// String names the kind, for messages.
func (k Kind) String() string { return kindNames[k] }

// node is one immutable value of a tree. Trees share nodes, so neither path
// nor parent is kept here.
type node struct {
	kind    Kind
	bad     bool   // already complained about: Decode passes it over
	literal bool   // String whose $ are only signs: parameters are filled in
	gone    bool   // Null that took a key away
	rebased bool   // file name made relative to the main file
	given   string // where rebased: the name as it was written
	text    string
	tag     string // local tag of a Map, see ParseTagged
	pos     Pos
	from    *origin // where the value came from, if not written at pos
	entries []entry // Map
	items   []*node // List
	size    int     // nodes of this subtree, aliases expanded
}

type entry struct {
	key string
	pos Pos
	val *node
}

// origin marks a value that a parameter supplied.
type origin struct {
	param string
	pos   Pos
}

// trail is how a value was reached; it gives the path and, for an absent
// value, a position.
type trail struct {
	up    *trail
	in    *node // the mapping or list the value is in
	label string
	index bool // label is an index
}

// A Value is one value of a configuration with its place. The zero Value is absent. Values are
// immutable and cheap to copy: a change returns a new tree that shares the unchanged parts.
type Value struct {
	n *node
	t *trail
}

// Exists reports whether the value is present. An explicit null is present.
func (v Value) Exists() bool { return v.n != nil }

// Pos is the place of the value in the file that supplied it. An absent value has the place of its
// mapping.
func (v Value) Pos() Pos {
	if v.n != nil {
		return v.n.pos
	}
	if v.t != nil {
		return v.t.in.pos
	}
	return Pos{}
}

// Source is Pos, or for a value from a parameter the place where the parameter is set.
func (v Value) Source() Pos {
	if v.n == nil {
		return v.Pos()
	}
	return v.n.source()
}

// Path is the path of the value from the root: nodes.Core.policy.name. It has an item of a list by
// its name, or by its index if it has no name.
func (v Value) Path() string {
	var b strings.Builder
	v.t.write(&b)
	return b.String()
}

func (t *trail) write(b *strings.Builder) {
	if t == nil {
		return
	}
	t.up.write(b)
	switch {
	case t.index:
		b.WriteString("[" + t.label + "]")
	case b.Len() > 0:
		b.WriteString("." + t.label)
	default:
		b.WriteString(t.label)
	}
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind {
	if v.n == nil {
		return Null
	}
	return v.n.kind
}

// Tag is the local tag of a mapping from ParseTagged; "" for other values.
func (v Value) Tag() string {
	if v.n == nil {
		return ""
	}
	return v.n.tag
}

// Get returns the value of a key of a mapping; the absent Value if there is none.
func (v Value) Get(key string) Value {
	t := &trail{up: v.t, in: v.n, label: key}
	if v.n == nil {
		t.in = &node{pos: v.Pos()}
		return Value{t: t}
	}
	return Value{n: v.n.get(key), t: t}
}

func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.entries[i].val
	}
	return nil
}

func (n *node) find(key string) int {
	if n != nil && n.kind == Map {
		for i := range n.entries {
			if n.entries[i].key == key {
				return i
			}
		}
	}
	return -1
}

// KeyPos returns the place of a key of a mapping, for errors about the key and not its value.
// Without that key it is the place of the mapping.
func (v Value) KeyPos(key string) Pos {
	if i := v.n.find(key); i >= 0 {
		return v.n.entries[i].pos
	}
	return v.Pos()
}

// Keys returns the keys of a mapping in file order.
func (v Value) Keys() []string {
	if v.Kind() != Map {
		return nil
	}
	keys := make([]string, len(v.n.entries))
	for i, e := range v.n.entries {
		keys[i] = e.key
	}
	return keys
}

// Items are the items of a list.
func (v Value) Items() []Value {
	if v.Kind() != List {
		return nil
	}
	id := idKey(v.label())
	items := make([]Value, len(v.n.items))
	for i, n := range v.n.items {
		items[i] = Value{n: n, t: v.itemTrail(id, i, n)}
	}
	return items
}

func (v Value) itemTrail(id string, i int, n *node) *trail {
	if name := n.get(id); name != nil && name.kind == String && name.text != "" {
		return &trail{up: v.t, in: v.n, label: name.text}
	}
	return &trail{up: v.t, in: v.n, label: strconv.Itoa(i), index: true}
}

// label is the key the value stands under.
func (v Value) label() string {
	if v.t == nil || v.t.index {
		return ""
	}
	return v.t.label
}

// idKey is the key by which the items of a list are known: memory ranges go
// by their tier, everything else by its name.
func idKey(list string) string {
	if list == "memory" {
		return "tier"
	}
	return "name"
}

// Errorf returns an error at the place of the value. want lists the allowed values, of which the
// error suggests the nearest.
func (v Value) Errorf(want []string, format string, args ...any) *Error {
	e := &Error{Pos: v.Pos(), Path: v.Path(), Msg: fmt.Sprintf(format, args...), Want: want}
	if t := v.Text(); t != "" {
		e.Nearest = Nearest(t, want)
	}
	if v.n != nil && v.n.from != nil {
		e.Msg += fmt.Sprintf(" ($%s is set at %s)", v.n.from.param, v.n.from.pos)
	}
	return e
}

// UnknownKey returns the error for a key of v that is not in want.
func (v Value) UnknownKey(key string, want []string) *Error {
	return &Error{Pos: v.KeyPos(key), Path: v.Get(key).Path(), Msg: "unknown key", Want: want, Nearest: Nearest(key, want)}
}

func (v Value) wrongKind(want Kind) *Error {
	if !v.Exists() {
		return v.Errorf(nil, "is missing (want %s)", want)
	}
	return v.Errorf(nil, "%s is not %s", v.shown(), want)
}

// shown is the value as a message quotes it.
func (v Value) shown() string {
	switch v.Kind() {
	case Null:
		return "null"
	case String:
		return strconv.Quote(v.n.text)
	case List, Map:
		return v.Kind().String()
	}
	return v.n.text
}
