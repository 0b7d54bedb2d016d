package timeloop

import (
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// nodeTags are the kinds of nodes in the form that people write.
var nodeTags = []string{"!Container", "!Component", "!Parallel", "!Hierarchical"}

// inline are the constraints of one node.
type inline struct {
	level string
	v     configs.Value
	only  bool // what it does not keep it bypasses: a branch of !Parallel
	fan   bool // a fan-out: it keeps nothing and has no temporal loops
}

// nodes reads the form with containers and components: each node lies inside those
// before it. A node with a spatial mesh multiplies what follows; the loops over it are
// a level of their own, inter_NAME_spatial, as Timeloop's front end makes it.
func (r *reader) nodes(v configs.Value, c *components, parallel bool) {
	for _, x := range r.items(v) {
		switch x.Tag() {
		case "!Parallel", "!Hierarchical":
			r.keys(x, "architecture.nodes", nil, "name", "nodes")
			r.nodes(x.Get("nodes"), c, x.Tag() == "!Parallel")
		case "!Container", "!Component":
			r.node(x, c, parallel)
		default:
			r.errs.Add(x.Errorf(nodeTags, "has no tag that says what it is"))
		}
	}
}

func (r *reader) node(x configs.Value, c *components, parallel bool) {
	component := x.Tag() == "!Component"
	used := []string{"name", "attributes", "spatial", "constraints"}
	if component {
		used = append(used, "class", "enabled")
	}
	r.keys(x, "architecture.nodes", componentUnused, used...)
	r.mustBe(x.Get("enabled"), "true", "a component that is not enabled is not read")
	name := bare(x.Get("name").Text())
	if name == "" {
		r.errs.Add(x.Errorf(nil, "has no name"))
		return
	}
	fan := false
	if s := x.Get("spatial"); s.Exists() && !empty(s) {
		m := nest.Mesh{X: 1, Y: 1}
		r.keys(s, "architecture.nodes.spatial", nil, "meshX", "meshY")
		if y := s.Get("meshX"); y.Exists() {
			m.X = r.whole(y, 1)
		}
		if y := s.Get("meshY"); y.Exists() {
			m.Y = r.whole(y, 1)
		}
		if fan = m.Count() > 1; fan {
			level := "inter_" + name + "_spatial"
			c.list = append(c.list, placed(level, c.mesh, x))
			if r.fans == nil {
				r.fans = map[string]string{}
			}
			r.fans[name] = level
			r.inline = append(r.inline, inline{level: level, v: x.Get("constraints").Get("spatial"), fan: true})
			c.mesh = nest.Mesh{X: bounded(c.mesh.X, m.X), Y: bounded(c.mesh.Y, m.Y)}
		}
	}
	if s := x.Get("constraints"); s.Exists() && !empty(s) {
		known := []string{"temporal", "dataspace", "datatype", "bypass"}
		if fan {
			known = append(known, "spatial")
		}
		if !component {
			known = []string{"spatial"}
		}
		r.keys(s, "architecture.nodes.constraints", nil, known...)
	}
	r.attributes(x.Get("attributes"), component)
	if !component {
		return
	}
	for _, k := range []string{"meshX", "meshY"} {
		if y := x.Get("attributes").Get(k); y.Exists() {
			r.errs.Add(y.Errorf(nil, "has its place under spatial"))
		}
	}
	c.list = append(c.list, placed(name, c.mesh, x))
	r.inline = append(r.inline, inline{level: name, v: x.Get("constraints"), only: parallel})
}

func placed(name string, m nest.Mesh, v configs.Value) component {
	return component{name: name, mesh: m, v: v, at: v.Get("attributes")}
}

func bounded(a, b int64) int64 {
	if a > 1<<31 || b > 1<<31 {
		return 1 << 32
	}
	return a * b
}

// inlined reads the constraints that nodes hold.
func (r *reader) inlined() {
	for _, x := range r.inline {
		l := -1
		for i, name := range r.levels {
			if name == x.level {
				l = i
			}
		}
		if l == len(r.in.Arch.Levels) { // compute has none
			if x.v.Exists() && !empty(x.v) {
				r.errs.Add(x.v.Errorf(nil, "compute has no constraints"))
			}
			continue
		}
		c := &r.in.Constraints.Levels[l]
		if x.fan {
			c.Bypass = nest.Mask(1)<<uint(len(r.tensors)) - 1
			for d := range c.Temporal.Factor {
				c.Temporal.Factor[d] = 1
			}
			if x.v.Exists() {
				r.constrain(x.v, l, "spatial")
			}
			continue
		}
		for d := range c.Spatial.Factor {
			c.Spatial.Factor[d] = 1 // loops over instances belong to the fan-out
		}
		if t := x.v.Get("temporal"); t.Exists() {
			r.constrain(t, l, "temporal")
		}
		for _, k := range []string{"dataspace", "datatype", "bypass"} {
			if t := x.v.Get(k); t.Exists() {
				r.constrain(t, l, "bypass")
			}
		}
		if x.only && c.Keep != 0 {
			c.Bypass |= (nest.Mask(1)<<uint(len(r.tensors)) - 1) &^ c.Keep
		}
	}
}
