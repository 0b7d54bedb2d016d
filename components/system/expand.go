package system

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// An element is one node to be made.
type element struct {
	name  string // in full: "Tile[0].Core[1]"
	value Value  // its own mapping, without count and elements
	shown Value  // the entry of the list that it stands for, for messages
	node  Node
	specs []PortSpec
	kind  Factory // that made node
	spec  any     // that it was made from
	inner bool    // stands under a key of another node

	byName map[string]endpoint
	order  int   // canonical
	stops  []int // number of the first port of each of specs, of all
}

// An entity is what one entry of a nodes list stands for: elements, or
// instances of a group. Both are empty if something was wrong with it.
type entity struct {
	name     string
	shown    Value
	counted  bool // was made with count, even if that is 1
	elements []*element
	groups   []*scope
}

func (e *entity) len() int { return max(len(e.elements), len(e.groups)) }

// A scope is a nodes list with its links: the document's, or one instance of a
// group.
type scope struct {
	name   string // of the instance, "" for the document
	names  map[string]*entity
	order  []*entity // as in the file
	links  Value
	ports  Value // of a group: exported name -> inner end
	made   map[string][]endpoint
	inside []*scope
}

// maxCount bounds the nodes of a system, groups counted with what is in them:
// beyond it a config is a mistake that should not take the machine's memory.
const maxCount = 1 << 17

// groupKeys are the keys of a node that stands for a group.
var groupKeys = []string{"name", "group", "count", "params", "override", "elements"}

var nameText = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// expand reads a nodes list and what the groups it uses stand for.
func (b *build) expand(body Value, prefix string, path []string) *scope {
	sc := &scope{name: prefix, names: map[string]*entity{}, links: body.Get("links"), ports: body.Get("ports"), made: map[string][]endpoint{}}
	nodes := body.Get("nodes")
	if nodes.Exists() && nodes.Kind() != configs.List {
		b.errs.Add(nodes.Errorf(nil, "nodes is %s, not a list", nodes.Kind()))
		return sc
	}
	for _, v := range nodes.Items() {
		if e := b.entity(sc, v, path); e != nil {
			sc.order = append(sc.order, e)
		}
	}
	return sc
}

func (b *build) entity(sc *scope, v Value, path []string) *entity {
	if v.Kind() != configs.Map {
		b.errs.Add(v.Errorf(nil, "a node is a mapping with name and kind, not %s", v.Kind()))
		return nil
	}
	name, ok := b.nodeName(sc, v)
	if !ok {
		return nil
	}
	e := &entity{name: name, shown: v}
	sc.names[name] = e
	n, ok := b.count(v)
	if !ok {
		return e
	}
	e.counted = v.Get("count").Exists()
	if b.size += n; b.size > maxCount {
		if b.size-n <= maxCount {
			b.errs.Add(v.Errorf(nil, "with these the system has more than %d nodes", maxCount))
		}
		return e
	}
	full := name
	if sc.name != "" {
		full = sc.name + "." + name
	}
	for i := range n {
		one, err := v.Element(i, n)
		if err != nil {
			b.errs.Add(err)
			return e
		}
		el := full
		if e.counted {
			el = fmt.Sprintf("%s[%d]", full, i)
		}
		if !v.Get("group").Exists() {
			e.elements = append(e.elements, &element{name: el, value: one, shown: v})
			continue
		}
		in := b.instance(one, el, path)
		if in == nil {
			e.groups = nil
			return e
		}
		e.groups = append(e.groups, in)
		sc.inside = append(sc.inside, in)
	}
	return e
}

func (b *build) nodeName(sc *scope, v Value) (string, bool) {
	n := v.Get("name")
	if !n.Exists() {
		b.errs.Add(v.Errorf(nil, "a node has no name"))
		return "", false
	}
	name := n.Text()
	switch {
	case !nameText.MatchString(name):
		b.errs.Add(n.Errorf(nil, "%q is no name: a capital, then letters and digits", name))
		return "", false
	case sc.names[name] != nil:
		// configs says the same, in the same words, and it is shown once
		b.errs.Add(n.Errorf(nil, "%q is here already, at %s", name, sc.names[name].shown.Get("name").Pos()))
		return "", false
	}
	return name, true
}

func (b *build) count(v Value) (int, bool) {
	c := v.Get("count")
	if !c.Exists() {
		if e := v.Get("elements"); e.Exists() {
			b.errs.Add(e.Errorf(nil, "elements need a count"))
			return 0, false
		}
		return 1, true
	}
	n, err := c.Int()
	if err != nil {
		b.errs.Add(err)
		return 0, false
	}
	if n < 1 || n > maxCount {
		b.errs.Add(c.Errorf(nil, "count %d is out of range (1 to %d)", n, maxCount))
		return 0, false
	}
	return int(n), true
}

// instance makes one instance of the group that v uses.
func (b *build) instance(v Value, name string, path []string) *scope {
	g := v.Get("group")
	if k := v.Get("kind"); k.Exists() {
		b.errs.Add(k.Errorf(nil, "a node has a kind or a group, not both"))
		return nil
	}
	for _, key := range v.Keys() {
		if !slices.Contains(groupKeys, key) {
			b.errs.Add(v.UnknownKey(key, groupKeys))
			return nil
		}
	}
	chain := append(slices.Clone(path), g.Text())
	if slices.Contains(path, g.Text()) {
		b.errs.Add(g.Errorf(nil, "groups contain each other: %s", strings.Join(chain, " -> ")))
		return nil
	}
	body, err := b.doc.Instantiate(v)
	if err != nil {
		b.errs.Add(err)
		return nil
	}
	if err := b.checkGroup(body); err != nil {
		b.errs.Add(err)
		return nil
	}
	return b.expand(body, name, chain)
}

// checkGroup looks at the keys of a group's body.
func (b *build) checkGroup(body Value) error {
	var errs configs.Errors
	keys := []string{"params", "nodes", "links", "ports"}
	for _, key := range body.Keys() {
		if !slices.Contains(keys, key) {
			errs.Add(body.UnknownKey(key, keys))
		}
	}
	if p := body.Get("ports"); p.Exists() && p.Kind() != configs.Map {
		errs.Add(p.Errorf(nil, "ports is %s, not a mapping of port: Node.port", p.Kind()))
	}
	return errs.Err()
}
