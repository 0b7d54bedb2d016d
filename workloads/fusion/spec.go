package fusion

// A Spec is the key fusion of the mapping section.
type Spec struct {
	// Groups are lists of operators by name or pattern; operators of one are fused.
	Groups [][]string `yaml:"groups,omitempty" doc:"Operators that are fused, by name or a pattern with * and ?: a list for each group; what is fused to the results of a matrix operator goes with it"`
	// Search finds groups.
	Search string `yaml:"search,omitempty" jsonschema:"enum=none,enum=dp,enum=exhaustive" doc:"How groups are found, for the least bytes to and from memory: none (those of groups; all others alone; the default), dp, exhaustive"`
	// Longest bounds the groups of a search.
	Longest int `yaml:"longest,omitempty" jsonschema:"minimum=1,maximum=4096" doc:"Operators of a group at most, of a search; default 24"`
	// Tiles is how many parts the last results of a group are made in.
	Tiles int `yaml:"tiles,omitempty" jsonschema:"minimum=1,maximum=65536" doc:"Parts that the last results of a group are made in; left out: those of 4, 8, 16, 32, 64 with the least bytes to and from memory"`
	// Halo is keep or recompute, for rows that two pieces need.
	Halo string `yaml:"halo,omitempty" jsonschema:"enum=keep,enum=recompute" doc:"Rows that the next piece needs again: keep (the default) or recompute"`
	// Weights is resident or stream, for matrices that every piece of an operator needs.
	Weights string `yaml:"weights,omitempty" jsonschema:"enum=resident,enum=stream" doc:"Matrices that every piece of an operator needs (weights; keys; values): resident (read from memory once where there is room; the default) or stream (by every piece)"`
	// Between is keep or memory, for results between groups.
	Between string `yaml:"between,omitempty" jsonschema:"enum=keep,enum=memory" doc:"Results between groups: keep (in the scratchpad where there is room; the default) or memory"`
	// Depth is the number of pieces of an operator with separate bytes.
	Depth int `yaml:"depth,omitempty" jsonschema:"minimum=1,maximum=1024" doc:"Pieces of an operator that have bytes of their own, so that cores may work ahead; default 2"`
}

// The values of Spec.
const (
	ByDynamic = "dp"
	ByAll     = "exhaustive"
	Recompute = "recompute"
	Stream    = "stream"
	ToMemory  = "memory"
)

// DefaultLongest is the greatest number of operators of a group in a search.
const DefaultLongest = 24

// Options returns the options of the spec for a scratchpad of that capacity in bytes.
func (s *Spec) Options(capacity int64) Options {
	return Options{Capacity: capacity, Tiles: s.Tiles, Recompute: s.Halo == Recompute, Stream: s.Weights == Stream, Keep: s.Between != ToMemory, Depth: s.Depth}
}
