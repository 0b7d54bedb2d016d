package timeloop

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// Attributes of a component that have no effect on counts: how Accelergy estimates
// its energy, which the table of energies replaces, and what Timeloop does not model.
var plainAttributes = []string{"version", "type", "technology", "n_banks", "n_ports", "n_rdwr_ports", "n_rd_ports", "n_wr_ports", "n_rw_ports",
	"global_cycle_seconds", "update_fifo_depth", "metadata_counter_width", "decompression_supported", "compression_supported",
	"multiplier_width", "adder_width", "num_pipeline_stages", "action_latency_cycles", "cycle_seconds",
	"data_storage_width", "data_storage_depth", "n_bits", "precision", "latency", "cycle_time", "voltage", "accuracy"}

// Attributes that say how many words there are and how fast they move.
var storageAttributes = []string{"depth", "entries", "sizeKB", "width", "datawidth", "word-bits", "word_bits", "block_size", "block-size", "cluster_size",
	"read_bandwidth", "write_bandwidth", "shared_bandwidth", "multiple_buffering", "min_utilization", "meshX", "meshY",
	"metadata_storage_width", "metadata_storage_depth", "metadata_datawidth", "metadata_word_bits",
	"allow_overbooking", "has_power_gating", "power_gated_at", "reduction_supported", "multicast_supported"}

var (
	componentKeys   = []string{"name", "class", "attributes", "constraints", "spatial"}
	componentUnused = []string{"subclass", "required_actions", "area_scale", "energy_scale", "component_class", "actions"}
)

// architecture reads the tree: the resolved form with subtrees and locals, and the
// form with nodes that are containers and components.
func (r *reader) architecture(v configs.Value) {
	r.keys(v, "architecture", nil, "version", "subtree", "nodes")
	r.version(v)
	if v.Get("nodes").Exists() && v.Get("subtree").Exists() {
		r.errs.Add(v.Get("nodes").Errorf(nil, "does not go with subtree"))
		return
	}
	c := components{mesh: nest.Mesh{X: 1, Y: 1}}
	if v.Get("nodes").Exists() {
		r.nodes(v.Get("nodes"), &c, false)
	} else {
		r.subtrees(v.Get("subtree"), &c, 0)
	}
	if r.errs != nil {
		return
	}
	if len(c.list) < 2 {
		r.errs.Add(v.Errorf(nil, "has %d components (want storage, outermost first, and compute at the end)", len(c.list)))
		return
	}
	if len(c.list) > nest.MaxLevels+1 {
		r.errs.Add(v.Errorf(nil, "has %d components (want at most %d)", len(c.list), nest.MaxLevels+1))
		return
	}
	for i, x := range c.list {
		if at := slices.Index(r.levels, x.name); at >= 0 {
			r.errs.Add(x.v.Errorf(nil, "%s is the name of two components (the other at %s)", x.name, r.in.at.levels[at].Pos()))
		}
		r.levels = append(r.levels, x.name)
		r.in.at.levels = append(r.in.at.levels, x.v)
		if i == len(c.list)-1 {
			r.in.Arch.Compute = nest.Compute{Name: x.name, Mesh: x.mesh}
			r.compute(x)
			continue
		}
		if x.v.Tag() != "" && r.fans[bare(x.v.Get("name").Text())] == x.name {
			r.in.Arch.Levels = append(r.in.Arch.Levels, nest.Level{Name: x.name, Mesh: x.mesh, WordBits: 1, Block: 1, Cluster: 1, Buffering: 1})
			continue
		}
		r.in.Arch.Levels = append(r.in.Arch.Levels, r.level(x))
	}
}

func (r *reader) version(v configs.Value) {
	if x := v.Get("version"); x.Exists() && x.Text() != "0.4" {
		r.errs.Add(x.Errorf([]string{"0.4"}, "version %s is not read", x.Text()))
	}
}

// components are what was found so far: a component has the mesh of the containers
// around it, times its own.
type components struct {
	list []component
	mesh nest.Mesh
}

type component struct {
	name string
	mesh nest.Mesh
	v    configs.Value
	at   configs.Value // its attributes
}

// subtrees reads the resolved form. Its meshes are those of all instances.
func (r *reader) subtrees(v configs.Value, c *components, depth int) {
	for i, s := range r.items(v) {
		if i > 0 {
			r.errs.Add(s.Errorf(nil, "is a second branch; a level has one below it"))
			return
		}
		r.keys(s, "architecture.subtree", nil, "name", "attributes", "local", "subtree")
		r.attributes(s.Get("attributes"), false)
		for _, x := range r.items(s.Get("local")) {
			r.component(x, c)
		}
		r.subtrees(s.Get("subtree"), c, depth+1)
	}
}

// component reads one entry of the resolved form, whose name ends in [1..n].
func (r *reader) component(v configs.Value, c *components) {
	r.keys(v, "architecture.component", componentUnused, append([]string{"enabled"}, componentKeys...)...)
	if x := v.Get("enabled"); x.Exists() {
		if on, err := x.Bool(); err != nil || !on {
			r.errs.Add(x.Errorf([]string{"true"}, "a component that is not enabled is not read"))
		}
	}
	for _, k := range []string{"constraints", "spatial"} {
		if x := v.Get(k); x.Exists() && !empty(x) {
			r.errs.Add(x.Errorf(nil, "has no place in a subtree (it belongs to a node)"))
		}
	}
	name := v.Get("name").Text()
	a := v.Get("attributes")
	m := nest.Mesh{X: 1, Y: 1}
	if x := a.Get("meshX"); x.Exists() {
		m.X = r.whole(x, 1)
	}
	if x := a.Get("meshY"); x.Exists() {
		m.Y = r.whole(x, 1)
	}
	if i := strings.IndexByte(name, '['); i >= 0 {
		n, ok := count(name[i:])
		switch {
		case !ok:
			r.errs.Add(v.Get("name").Errorf(nil, "%s does not end in a range such as [1..14]", name))
		case !a.Get("meshX").Exists() && !a.Get("meshY").Exists():
			m.X = n
		case m.X*m.Y != n:
			r.errs.Add(v.Get("name").Errorf(nil, "%s has %d instances, its mesh %d x %d", name, n, m.X, m.Y))
		}
	}
	r.attributes(a, true)
	if bare(name) == "" {
		r.errs.Add(v.Errorf(nil, "has no name"))
	}
	c.list = append(c.list, component{bare(name), m, v, a})
}

// count is how many a range such as [0..13] holds.
func count(s string) (int64, bool) {
	s, ok := strings.CutSuffix(strings.TrimPrefix(s, "["), "]")
	a, b, two := strings.Cut(s, "..")
	if !ok || !two {
		return 0, false
	}
	x, e1 := strconv.ParseInt(strings.TrimSpace(a), 10, 32)
	y, e2 := strconv.ParseInt(strings.TrimSpace(b), 10, 32)
	return y - x + 1, e1 == nil && e2 == nil && y >= x
}

// attributes finds those that nothing reads: known ones are listed, one that looks
// like a known one misspelt is an error, others are a class's own and are listed.
func (r *reader) attributes(v configs.Value, component bool) {
	if !v.Exists() || v.Kind() == configs.Null {
		return
	}
	if v.Kind() != configs.Map {
		r.errs.Add(v.Errorf(nil, "is %s (want a mapping)", v.Kind()))
		return
	}
	for _, k := range v.Keys() {
		switch {
		case component && slices.Contains(storageAttributes, k):
		case !component && slices.Contains(storageAttributes, k), slices.Contains(plainAttributes, k):
			r.note("attributes." + k)
		case component && configs.Nearest(k, storageAttributes) != "" && !near(k):
			r.errs.Add(v.UnknownKey(k, storageAttributes))
		default:
			r.note("attributes." + k)
		}
	}
	if x := v.Get("power_gated_at"); x.Exists() && x.Kind() != configs.Null {
		r.errs.Add(x.Errorf(nil, "power gating is not modelled (want null)"))
	}
	r.mustBe(v.Get("has_power_gating"), "false", "power gating is not modelled")
	if component {
		r.mustBe(v.Get("allow_overbooking"), "false", "overbooking is not modelled")
	}
}

// near tells an attribute that only resembles one that counts: width_a of a
// multiplier is no misspelt width.
func near(k string) bool {
	for _, own := range storageAttributes {
		if strings.HasPrefix(k, own+"_") || strings.HasSuffix(k, "_"+own) {
			return true
		}
	}
	return false
}

func (r *reader) mustBe(v configs.Value, want, why string) {
	if v.Exists() && v.Kind() != configs.Null && v.Text() != want {
		r.errs.Add(v.Errorf([]string{want}, "is %s; %s", v.Text(), why))
	}
}

// compute checks the last component.
func (r *reader) compute(x component) {
	for _, k := range []string{"depth", "entries"} {
		if d := x.at.Get(k); d.Exists() {
			r.errs.Add(d.Errorf(nil, "the last component is compute, which has no %s: is it missing?", k))
		}
	}
}

// level reads the attributes of a storage level. Words are of datawidth bits; an
// access is width bits, shared by the instances of a cluster.
func (r *reader) level(x component) nest.Level {
	l := nest.Level{Name: x.name, Mesh: x.mesh, WordBits: 8, Block: 1, Cluster: 1, Buffering: 1}
	get := x.first
	r.access(x, &l)
	r.capacity(x, &l)
	for k, to := range map[string]*float64{"read_bandwidth": &l.ReadBandwidth, "write_bandwidth": &l.WriteBandwidth, "shared_bandwidth": &l.SharedBandwidth} {
		if v := get(k); v.Exists() {
			if *to = r.number(v); *to == 0 {
				r.errs.Add(v.Errorf(nil, "is 0 words per cycle (leave it out where it is unlimited)"))
			}
		}
	}
	if v := get("multiple_buffering"); v.Exists() {
		l.Buffering = r.number(v)
	}
	if v := get("min_utilization"); v.Exists() {
		l.Utilization = r.number(v)
	}
	l.NoReduction = r.denied(get("reduction_supported"))
	l.NoMulticast = r.denied(get("multicast_supported"))
	if v := get("metadata_storage_width"); v.Exists() {
		l.Metadata.Width = int(r.whole(v, 0))
	}
	if v := get("metadata_storage_depth"); v.Exists() {
		l.Metadata.Depth = r.number(v)
	}
	if v := get("metadata_datawidth", "metadata_word_bits"); v.Exists() {
		l.Metadata.Bits = int(r.whole(v, 0))
	}
	return l
}

// first is the attribute of the first name that has a value.
func (x component) first(names ...string) configs.Value {
	for _, k := range names {
		if v := x.at.Get(k); v.Exists() && v.Kind() != configs.Null {
			return v
		}
	}
	return configs.Value{}
}

// access reads the words of a level, and how many an access brings.
func (r *reader) access(x component, l *nest.Level) {
	get := x.first
	if v := get("datawidth", "word-bits", "word_bits"); v.Exists() {
		l.WordBits = int(r.whole(v, 1))
	}
	if v := get("cluster_size"); v.Exists() {
		l.Cluster = r.whole(v, 1)
	}
	block := get("block_size", "block-size")
	if block.Exists() {
		l.Block = float64(r.whole(block, 1))
	}
	if v := get("width"); v.Exists() {
		width := r.whole(v, 1)
		switch words := int64(l.WordBits) * l.Cluster; {
		case block.Exists() && width != int64(l.Block)*words:
			r.errs.Add(v.Errorf(nil, "is %d, but %g words of %d bits in clusters of %d are %g", width, l.Block, l.WordBits, l.Cluster, l.Block*float64(words)))
		case width%words != 0:
			r.errs.Add(v.Errorf(nil, "is %d bits, which words of %d bits in clusters of %d do not divide", width, l.WordBits, l.Cluster))
		default:
			l.Block = float64(width / words)
		}
	}
}

// capacity reads how many words a level holds.
func (r *reader) capacity(x component, l *nest.Level) {
	depth := x.first("depth", "entries")
	switch size := x.first("sizeKB"); {
	case size.Exists() && depth.Exists():
		r.errs.Add(size.Errorf(nil, "does not go with depth"))
	case size.Exists():
		l.Words = r.number(size) * 1024 * 8 / float64(l.WordBits)
	case depth.Exists():
		l.Words = float64(r.whole(depth, 1)) * l.Block
	case !isDRAM(x.v):
		r.errs.Add(x.v.Errorf(nil, "%s has no depth (only a DRAM may do without)", x.name))
	}
}

func (r *reader) denied(v configs.Value) bool {
	if !v.Exists() {
		return false
	}
	b, err := v.Bool()
	r.errs.Add(err)
	return err == nil && !b
}

func isDRAM(v configs.Value) bool { return strings.EqualFold(v.Get("class").Text(), "dram") }
