package system

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A System is a wired simulation. All its methods may be called before, during
// and after a run.
type System struct {
	nodes  []Node // canonical order
	made   []Made // the same order
	byName map[string]Node
	arrays map[string][]Node
	wires  []*engine.Wire
	// borders are the wires between parts that run apart for a quantum.
	borders int
	space   *space
	// reaches is the tier of each family that requests of a node come to.
	reaches map[Node]map[string]string
	homes   map[Node]string // the node that all requests of a node go to first, by its array's name
	links   []string
	files   []string
}

// Borders is the number of links between parts of the system that run separately for a quantum.
func (s *System) Borders() int { return s.borders }

// Shares reports whether a node of the system is a Sharer.
func (s *System) Shares() bool {
	for _, n := range s.nodes {
		if _, ok := n.(Sharer); ok {
			return true
		}
	}
	return false
}

// build is the state of one Build. After an error a step continues as far as possible;
// consequences of an error are not reported.
type build struct {
	doc   *configs.Document
	env   *Env
	errs  configs.Errors
	size  int // instances of groups
	root  *scope
	all   []*element // canonical order
	inner []*element // made inside others

	entries   []*entry
	links     []*link
	at        map[endpoint][]*link           // links of each port
	cycles    map[endpoint]uint64            // latency towards each port, cycles of its clock
	excused   map[*element]bool              // may be unlinked because of another fault
	brokenAll bool                           // every node may be
	known     map[endpoint][]end             // results of ends
	under     map[*element]map[*element]bool // results of beneath
	holes     map[*tier]bool                 // reported
	homeless  map[Value]bool                 // reported
	rivals    map[*element][]*element        // nodes with elastic arrays, by what they take ports of
	stops     []stop                         // by number of the port
	walks     uint32                         // so far

	spareWays  spare[way]
	spareFound spare[reach]
}

// takeNodes gives the nodes to the system, by name.
func (b *build) takeNodes(s *System) {
	all := slices.Concat(b.all, b.inner)
	slices.SortFunc(all, func(x, y *element) int { return configs.CompareNames(x.name, y.name) })
	for _, el := range all {
		s.nodes = append(s.nodes, el.node)
		s.made = append(s.made, el.made())
		s.byName[el.name] = el.node
		if x, ok := el.node.(Divisible); ok && b.env.Quantum > 0 {
			x.Divide(b.env.Quantum)
		}
		if w, ok := b.env.Engine.(engine.Watcher); ok {
			if x, ok := el.node.(engine.Waiter); ok {
				w.Watch(x)
			}
		}
	}
}

// takeWires makes the wires, and lists the links by name.
func (b *build) takeWires(s *System, wires []*plan) {
	for _, l := range b.links {
		x, y := l.a.String(), l.b.String()
		if configs.CompareNames(x, y) > 0 {
			x, y = y, x
		}
		s.links = append(s.links, x+" - "+y)
	}
	slices.SortFunc(s.links, configs.CompareNames)
	for _, w := range wires {
		if w.fused() {
			continue
		}
		w.cutThrough()
		wire := w.make(b.env.Engine)
		if b.env.Quantum > 0 && w.border() {
			wire.Quantum(clock.Period(uint64(b.env.Quantum), uint64(units.Second)))
			s.borders++
		}
		s.wires = append(s.wires, wire)
	}
}

// Build makes the nodes of a document, connects their ports and sets the address maps. The error
// is a configs.Errors with all errors of the document.
//
// Nodes are made, wired and numbered in canonical order: by name, numbers
// naturally. The order of nodes and links in the file changes nothing.
func Build(doc *configs.Document, env *Env) (*System, error) {
	var files []string
	env.File = func(v Value) (string, error) {
		path, err := doc.ResolveFile(v)
		if err == nil && !slices.Contains(files, path) {
			files = append(files, path)
		}
		return path, err
	}
	b := &build{doc: doc, env: env, at: map[endpoint][]*link{}, cycles: map[endpoint]uint64{}, excused: map[*element]bool{},
		known: map[endpoint][]end{}, under: map[*element]map[*element]bool{}, holes: map[*tier]bool{}, homeless: map[Value]bool{}}
	env.Inside = b.inside
	b.root = b.expand(doc.Root, "", nil)
	if b.size > maxCount {
		return nil, b.errs.Err()
	}
	b.all = b.root.elements()
	slices.SortFunc(b.all, func(x, y *element) int { return configs.CompareNames(x.name, y.name) })
	b.makeNodes()
	b.readLinks(b.root)
	b.resolveLinks()
	b.checkUnlinked()
	wires := b.planWires()
	sp := b.readMemory()
	maps := b.makeMaps(sp)
	if len(b.errs) == 0 {
		b.fuse(b.fusions(sp))
	}
	if len(b.errs) == 0 {
		b.selectTiers(sp, maps)
	}
	if err := b.errs.Err(); err != nil {
		return nil, err
	}
	s := &System{byName: map[string]Node{}, arrays: map[string][]Node{}, space: sp, files: files}
	if sp != nil {
		s.reaches, s.homes = reached(sp, maps), homesOf(maps)
	}
	b.takeNodes(s)
	s.collectArrays(b.root)
	b.takeWires(s, wires)
	if err := b.deliverPeers(); err != nil {
		return nil, err
	}
	if err := deliverMaps(maps); err != nil {
		return nil, err
	}
	return s, nil
}

// elements lists what is to be made in the scope and its groups.
func (sc *scope) elements() []*element {
	var out []*element
	for _, e := range sc.order {
		out = append(out, e.elements...)
	}
	for _, in := range sc.inside {
		out = append(out, in.elements()...)
	}
	return out
}

// makeNodes makes every node whose mapping is right.
func (b *build) makeNodes() {
	type decoded struct {
		spec any
		err  error
	}
	specs := map[Value]decoded{} // elements without own keys share their mapping
	for _, el := range b.all {
		f, ok := b.factory(el)
		if !ok {
			continue
		}
		v := b.effective(el.value, f)
		key := el.shown
		if el.shown.Get("elements").Exists() {
			key = el.value
		}
		d, ok := specs[key]
		if !ok {
			d.spec, d.err = f.Decode(v)
			specs[key] = d
			b.errs.Add(d.err)
		}
		if d.err != nil {
			continue
		}
		node, err := f.New(b.env, el.name, d.spec, v)
		if err != nil {
			b.errs.Add(located(el.value, err))
			continue
		}
		el.node, el.specs, el.kind, el.spec = node, node.PortSpecs(), f, d.spec
		checkSpecs(node, el.specs)
		el.indexPorts()
	}
}

// located points an error that does not say where at v.
func located(v Value, err error) error {
	if configs.PosOf(err) == (configs.Pos{}) {
		return v.Errorf(nil, "%s", err)
	}
	return err
}

// checkSpecs panics on ports that no configuration could make sense of.
func checkSpecs(n Node, specs []PortSpec) {
	seen := map[string]bool{}
	for _, s := range specs {
		switch {
		case s.Name == "" || s.Name[0] < 'a' || s.Name[0] > 'z' || seen[s.Name]:
			panic(fmt.Sprintf("system: %s (%T) has a port %q", n.Name(), n, s.Name))
		case s.Protocol == "" || s.Clock.IsZero():
			panic(fmt.Sprintf("system: port %s of %s (%T) has no protocol or no clock", s.Name, n.Name(), n))
		case !s.Array && len(s.Ports) != 1:
			panic(fmt.Sprintf("system: port %s of %s (%T) is %d ports and no array", s.Name, n.Name(), n, len(s.Ports)))
		}
		seen[s.Name] = true
	}
}

func (s *System) collectArrays(sc *scope) {
	for _, e := range sc.order {
		full := e.name
		if sc.name != "" {
			full = sc.name + "." + e.name
		}
		for _, el := range e.elements {
			s.arrays[full] = append(s.arrays[full], el.node)
		}
	}
	for _, in := range sc.inside {
		s.collectArrays(in)
	}
}

// Nodes lists the nodes in canonical order.
func (s *System) Nodes() []Node { return s.nodes }

// Node returns the node called name, or nil.
func (s *System) Node(name string) Node { return s.byName[name] }

// Array lists the nodes that one entry of the configuration made: Array("Core")
// is Core[0], Core[1] and so on, or just Core.
func (s *System) Array(name string) []Node { return s.arrays[name] }

// Wires lists the wires, named after the first of their ports.
func (s *System) Wires() []*engine.Wire { return s.wires }

// Links lists the resolved links in canonical order: "Core[0].mem - Net.terminal[0]".
func (s *System) Links() []string { return s.links }

// Files lists the data files that nodes have read. They are inputs of the run.
func (s *System) Files() []string { return s.files }
