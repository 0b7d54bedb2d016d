package timeloop

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// Attributes of a component that have no effect on counts: how Accelergy estimates
// its energy, which the table of energies replaces, and what Timeloop does not model.
var plainAttributes = []string{"version", "type", "technology", "n_banks", "num_banks", "n_ports", "num_ports", "n_rdwr_ports", "n_rd_ports", "n_wr_ports", "n_rw_ports",
	"global_cycle_seconds", "update_fifo_depth", "metadata_counter_width", "decompression_supported", "compression_supported",
	"concordant_compressed_tile_traversal", "multiplier_width", "adder_width", "num_pipeline_stages", "action_latency_cycles", "cycle_seconds",
	"n_bits", "precision", "latency", "cycle_time", "voltage", "accuracy", "area", "cluster_area"}

// Names that Timeloop has for one attribute, in the order in which it looks for them.
var (
	wordNames   = []string{"word_bits", "word-bits", "word_width", "datawidth"}
	blockNames  = []string{"block_size", "block-size", "n_words"}
	widthNames  = []string{"width", "memory_width", "data_storage_width"}
	depthNames  = []string{"depth", "memory_depth", "data_storage_depth"}
	headerWidth = []string{"metadata_storage_width", "metadata_width"}
	headerDepth = []string{"metadata_storage_depth", "metadata_depth"}
	headerWords = []string{"metadata_datawidth", "metadata_word_bits"}
)

// Attributes that say how many words there are and how fast they move, and those that have to be
// as if they were not there (unmodelled).
var storageAttributes = slices.Concat(wordNames, blockNames, widthNames, depthNames, headerWidth, headerDepth, headerWords,
	[]string{"entries", "sizeKB", "cluster_size", "bandwidth", "read_bandwidth", "write_bandwidth", "shared_bandwidth",
		"multiple_buffering", "min_utilization", "meshX", "meshY", "reduction_supported", "multicast_supported", "power_gated_at"},
	slices.Sorted(maps.Keys(unmodelled)))

// unmodelled are attributes of storage that change counts, cycles or energy of Timeloop and are not
// modelled, with the one value that they may have.
var unmodelled = map[string]struct{ want, why string }{
	"allow_overbooking":                         {"false", "overbooking is not modelled"},
	"has_power_gating":                          {"false", "power gating is not modelled"},
	"tile_partition_supported":                  {"false", "partition of tiles at run time is not modelled"},
	"metadata_block_size":                       {"1", "blocks of metadata are not modelled"},
	"network_fill_latency":                      {"0", "latencies of networks are not modelled"},
	"network_drain_latency":                     {"0", "latencies of networks are not modelled"},
	"vector_access_energy":                      {"", "energies are those of the ERT"},
	"addr_gen_energy":                           {"", "energies are those of the ERT"},
	"instances":                                 {"", "instances are those of the range of a name"},
	"per_dataspace_bandwidth_consumption_scale": {"", "bandwidth is the same for all data spaces"},
}

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
			r.unknown(v, k)
		}
	}
	if x := v.Get("power_gated_at"); x.Exists() && x.Kind() != configs.Null {
		r.errs.Add(x.Errorf(nil, "power gating is not modelled (want null)"))
	}
	for _, k := range slices.Sorted(maps.Keys(unmodelled)) {
		if component || k == "has_power_gating" {
			r.mustBe(v.Get(k), unmodelled[k].want, unmodelled[k].why)
		}
	}
}

// unknown notes an attribute that Timeloop does not know. It may belong to a class of Accelergy's.
func (r *reader) unknown(v configs.Value, k string) {
	u := Unknown{Key: "attributes." + k, Place: fmt.Sprint(v.KeyPos(k))}
	if !near(k) {
		u.Nearest = configs.Nearest(k, slices.Concat(storageAttributes, plainAttributes))
	}
	r.in.Unknown = append(r.in.Unknown, u)
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
	switch {
	case !v.Exists() || v.Kind() == configs.Null || want != "" && v.Text() == want:
	case want == "":
		r.errs.Add(v.Errorf(nil, "%s (leave it out)", why))
	default:
		r.errs.Add(v.Errorf([]string{want}, "is %s; %s", v.Text(), why))
	}
}

// compute checks the last component.
func (r *reader) compute(x component) {
	for _, k := range append([]string{"entries"}, depthNames...) {
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
	if v := get("bandwidth"); v.Exists() { // an old name: half for reads, half for writes
		l.ReadBandwidth, l.WriteBandwidth = r.number(v)/2, r.number(v)/2
	}
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
	if v := get(headerWidth...); v.Exists() {
		l.Metadata.Width = int(r.whole(v, 0))
	}
	if v := get(headerDepth...); v.Exists() {
		l.Metadata.Depth = r.number(v)
	}
	if v := get(headerWords...); v.Exists() {
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
	if v := get(wordNames...); v.Exists() {
		l.WordBits = int(r.whole(v, 1))
	}
	if v := get("cluster_size"); v.Exists() {
		l.Cluster = r.whole(v, 1)
	}
	block := get(blockNames...)
	if block.Exists() {
		l.Block = float64(r.whole(block, 1))
	}
	if v := get(widthNames...); v.Exists() {
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

// capacity reads how many words a level holds: entries are words, depth counts accesses.
func (r *reader) capacity(x component, l *nest.Level) {
	entries, depth, size := x.first("entries"), x.first(depthNames...), x.first("sizeKB")
	if size.Exists() && (entries.Exists() || depth.Exists()) {
		r.errs.Add(size.Errorf(nil, "does not go with depth"))
		return
	}
	switch {
	case entries.Exists():
		l.Words = float64(r.whole(entries, 1))
	case depth.Exists():
		l.Words = float64(r.whole(depth, 1)) * l.Block
	case size.Exists():
		l.Words = r.number(size) * 1024 * 8 / float64(l.WordBits)
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
