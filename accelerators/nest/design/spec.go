package design

import (
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Spec is a nest in Causeway's own form.
type Spec struct {
	// Word is the width of words of levels that have none of their own.
	Word Amount `yaml:"word" jsonschema:"description=Width of words of levels that give none"`
	// Energy prices what levels and compute do.
	Energy Prices `yaml:"energy" jsonschema:"description=Published figures for accesses and arithmetic that levels and compute give no energy or area of"`
	// Levels of storage, outermost first.
	Levels []Level `yaml:"levels" jsonschema:"description=Levels of storage and mere fan-outs; outermost first"`
	// Compute is what the innermost level feeds.
	Compute Compute `yaml:"compute" jsonschema:"description=What the innermost level feeds: one multiply-accumulate per cycle and instance"`
	// Behind says that the outermost level is a memory that has its energy itself.
	Behind bool `yaml:"-"`
	// Problem is what is computed.
	Problem Problem `yaml:"problem" jsonschema:"description=Dimensions and tensors"`
	// Mapping gives levels their loops; levels without an entry have none.
	Mapping []Entry `yaml:"mapping" jsonschema:"description=Loops of each level; empty where a search finds them"`
}

// Default is words of 8 bits and units named MAC.
//
// assumption: 8 bits is Timeloop's default.
func Default() Spec { return Spec{Word: Bits(8), Compute: Compute{Name: "MAC"}} }

// A Level is one level of storage, or a mere fan-out where it bypasses all tensors.
type Level struct {
	Name     string `yaml:"name" jsonschema:"required,description=Name"`
	Capacity Amount `yaml:"capacity" jsonschema:"description=Of one instance; unlimited where not given"`
	Word     Amount `yaml:"word" jsonschema:"description=Width of a word; default that of the machine"`
	Block    Amount `yaml:"block" jsonschema:"description=What one access brings; default one word"`
	Cluster  int64  `yaml:"cluster" jsonschema:"minimum=1,description=Instances that share one access; default 1"`
	// Bandwidths of one instance.
	Read   Rate `yaml:"read_bandwidth" jsonschema:"description=Of reads of one instance; unlimited where not given"`
	Write  Rate `yaml:"write_bandwidth" jsonschema:"description=Of fills and updates of one instance; unlimited where not given"`
	Shared Rate `yaml:"bandwidth" jsonschema:"description=Of reads and writes together of one instance; unlimited where not given"`
	// Buffering divides the capacity.
	Buffering   float64 `yaml:"buffering" jsonschema:"minimum=1,description=Tiles that lie in it at a time: 2 is double buffering; default 1"`
	Utilization float64 `yaml:"min_utilization" jsonschema:"minimum=0,maximum=1,description=Share of the capacity that a mapping has to fill"`
	// Keep and Bypass are tensors that have to be, or must not be, kept here.
	Keep   Names  `yaml:"keep" jsonschema:"description=Tensors that have to be kept here; or all"`
	Bypass Names  `yaml:"bypass" jsonschema:"description=Tensors that must not be kept here; or all"`
	Fanout Fanout `yaml:"fanout" jsonschema:"description=Instances of what follows below one instance"`

	Energy   Energy   `yaml:"energy" jsonschema:"description=Of one access of a block"`
	Area     Area     `yaml:"area" jsonschema:"description=Of one instance"`
	Metadata Metadata `yaml:"metadata" jsonschema:"description=Memory of the metadata of compressed tensors"`
	// Formats of compressed tensors, and what is left out where elements are zero.
	Formats     []Format    `yaml:"formats" jsonschema:"description=Compressed tensors"`
	Savings     []Saving    `yaml:"savings" jsonschema:"description=What is gated or skipped where elements are zero"`
	Constraints Constraints `yaml:"constraints" jsonschema:"description=What a search may propose here"`
}

// Fanout is a mesh of instances of the next level below each instance.
type Fanout struct {
	X          int64    `yaml:"x" jsonschema:"minimum=1,description=Instances along X; default 1"`
	Y          int64    `yaml:"y" jsonschema:"minimum=1,description=Instances along Y; default 1"`
	UnrollX    []string `yaml:"unroll_x" jsonschema:"description=Dimensions that may run along X; default any"`
	UnrollY    []string `yaml:"unroll_y" jsonschema:"description=Dimensions that may run along Y; default any"`
	Forwarding bool     `yaml:"forwarding" jsonschema:"description=Instances pass inputs on to their neighbours: what one has or had in the iteration before no other reads"`
	Multicast  *bool    `yaml:"multicast" jsonschema:"description=Instances that need the same words share one read; default true"`
	Reduction  *bool    `yaml:"reduction" jsonschema:"description=What instances add to the same words is summed on the way; default true"`
	Wire       Length   `yaml:"wire" jsonschema:"description=Length of the wires from the level to an instance below it; without it they take no energy"`
}

// Compute is the innermost level.
type Compute struct {
	Name        string       `yaml:"name" jsonschema:"description=Name"`
	DType       string       `yaml:"dtype" jsonschema:"enum=int4,enum=int8,enum=int16,enum=int32,enum=fp8,enum=fp16,enum=bf16,enum=fp32,description=Type of operands that energy.process gives figures of; default that of the workload or integers of the width of a word"`
	Energy      units.Energy `yaml:"energy" jsonschema:"description=Of one multiply-accumulate"`
	GatedEnergy units.Energy `yaml:"gated_energy" jsonschema:"description=Of one that is gated"`
	Area        Area         `yaml:"area" jsonschema:"description=Of one instance"`
}

// Energy is that of actions, each of one block; leak is per cycle.
type Energy struct {
	Read   units.Energy  `yaml:"read" jsonschema:"description=Of a read"`
	Write  units.Energy  `yaml:"write" jsonschema:"description=Of a fill"`
	Update *units.Energy `yaml:"update" jsonschema:"description=Of an update; default that of a fill"`
	Leak   units.Energy  `yaml:"leak" jsonschema:"description=Per cycle of an instance in use"`

	GatedRead   units.Energy `yaml:"gated_read" jsonschema:"description=Of a read that is gated"`
	GatedWrite  units.Energy `yaml:"gated_write" jsonschema:"description=Of a fill that is gated"`
	GatedUpdate units.Energy `yaml:"gated_update" jsonschema:"description=Of an update that is gated"`

	MetaRead        units.Energy `yaml:"metadata_read" jsonschema:"description=Of a read of metadata"`
	MetaWrite       units.Energy `yaml:"metadata_write" jsonschema:"description=Of a fill of metadata"`
	MetaUpdate      units.Energy `yaml:"metadata_update" jsonschema:"description=Of an update of metadata"`
	GatedMetaRead   units.Energy `yaml:"gated_metadata_read" jsonschema:"description=Of a gated read of metadata"`
	GatedMetaWrite  units.Energy `yaml:"gated_metadata_write" jsonschema:"description=Of a gated fill of metadata"`
	GatedMetaUpdate units.Energy `yaml:"gated_metadata_update" jsonschema:"description=Of a gated update of metadata"`
	Decompress      units.Energy `yaml:"decompress" jsonschema:"description=Of a word that is decompressed"`
	Compress        units.Energy `yaml:"compress" jsonschema:"description=Of a word that is compressed"`
}

// Metadata is the memory that formats lie in.
type Metadata struct {
	Width    Amount `yaml:"width" jsonschema:"description=Of one access; none where not given"`
	Item     Amount `yaml:"item" jsonschema:"description=Of one item"`
	Accesses int64  `yaml:"accesses" jsonschema:"minimum=0,description=That one instance holds; 0 is unlimited"`
}

// Format is how a tensor lies in a level.
type Format struct {
	Tensor string `yaml:"tensor" jsonschema:"required,description=Tensor"`
	Ranks  []Rank `yaml:"ranks" jsonschema:"required,description=Outermost first"`
}

// Rank is one rank of a format.
type Rank struct {
	Format  string   `yaml:"format" jsonschema:"required,enum=offsets,enum=coordinates,enum=run_length,enum=bitmask,enum=plain_bitmask,description=How the rank says which elements are there"`
	Flatten []string `yaml:"flatten" jsonschema:"description=Dimensions whose loops may be one rank together; default one loop"`
	Item    Amount   `yaml:"item" jsonschema:"description=Of one item of metadata; default that of the level"`
	Payload Amount   `yaml:"payload" jsonschema:"description=Of one item of payload; default that of the level"`
}

// Saving leaves accesses out where leaders are zero.
type Saving struct {
	How     string   `yaml:"how" jsonschema:"required,enum=gate,enum=skip,description=gate takes the cycle; skip does not"`
	Options []Option `yaml:"options" jsonschema:"required,description=Of these the one that saves the most energy"`
}

// Option is a target with its leaders.
type Option struct {
	Target string   `yaml:"target" jsonschema:"required,description=Tensor whose accesses are left out"`
	Where  []string `yaml:"where" jsonschema:"required,description=Tensors of which one is zero there"`
}

// Constraints are what a search may propose at a level.
type Constraints struct {
	// Factors of temporal and of spatial loops by dimension: "8", "<=8", rest.
	Factors map[string]string `yaml:"factors" jsonschema:"description=Of temporal loops by dimension: 8 or <=8 or rest (what other levels leave)"`
	Spatial map[string]string `yaml:"spatial" jsonschema:"description=Of spatial loops by dimension: 8 or <=8 or rest"`
	// Order are the innermost loops; others lie outside them.
	Order []string `yaml:"order" jsonschema:"description=Dimensions of the innermost loops; the last is innermost; others lie outside them in any order"`
}

// Problem is what is computed.
type Problem struct {
	Name string `yaml:"name" jsonschema:"description=Name"`
	// Dims are the sizes of dimensions.
	Dims map[string]int64 `yaml:"dims" jsonschema:"description=Sizes of dimensions; those of a convolution without tensors (N G M C P Q R S) are 1 where not given"`
	// Stride and Dilation of a convolution, along both axes.
	Stride   int64 `yaml:"stride" jsonschema:"minimum=1,description=Of a convolution; default 1"`
	Dilation int64 `yaml:"dilation" jsonschema:"minimum=1,description=Of a convolution; default 1"`
	// Tensors of a problem that is no convolution.
	Tensors []Tensor `yaml:"tensors" jsonschema:"description=Tensors; default those of a convolution"`
	// Density of tensors, by name.
	Density map[string]Density `yaml:"density" jsonschema:"description=Share of a tensor that is not zero, by name; a number is uniform"`
}

// Tensor is a projection of the dimensions.
type Tensor struct {
	Name    string   `yaml:"name" jsonschema:"required,description=Name"`
	Index   []string `yaml:"index" jsonschema:"required,description=Of each rank: a sum of dimensions such as 2*P + R"`
	Written bool     `yaml:"written" jsonschema:"description=An output, to which points add"`
}

// Density is how much of a tensor is not zero: 0.3, or {uniform: 0.3}, or
// {structured: 0.5}.
type Density nest.Density

// UnmarshalConfig implements configs.Unmarshaler.
func (d *Density) UnmarshalConfig(v configs.Value) error {
	x := struct {
		Uniform    *float64 `yaml:"uniform"`
		Structured *float64 `yaml:"structured"`
	}{}
	if v.Kind() != configs.Map {
		f, err := v.Float()
		if err != nil {
			return err
		}
		x.Uniform = &f
	} else if err := v.Decode(&x); err != nil {
		return err
	}
	switch {
	case (x.Uniform == nil) == (x.Structured == nil):
		return v.Errorf([]string{"uniform", "structured"}, "is one density")
	case x.Uniform != nil:
		*d = Density{Distribution: nest.Uniform, Value: *x.Uniform}
	default:
		*d = Density{Distribution: nest.Structured, Value: *x.Structured}
	}
	if err := nest.Density(*d).Check(); err != nil {
		return v.Errorf(nil, "%v", err)
	}
	return nil
}

// Entry gives a level its loops, outermost first.
type Entry struct {
	Level string   `yaml:"level" jsonschema:"required,description=Name of the level"`
	Loops []string `yaml:"loops" jsonschema:"description=Temporal loops as K 8; outermost first"`
	X     []string `yaml:"x" jsonschema:"description=Loops over instances along X"`
	Y     []string `yaml:"y" jsonschema:"description=Loops over instances along Y"`
	Keep  Names    `yaml:"keep" jsonschema:"description=Tensors that it keeps; default all that the level does not bypass"`
}

// Names are names in a list, or all.
type Names struct {
	All   bool
	Names []string
	given bool
}

// UnmarshalConfig implements configs.Unmarshaler.
func (n *Names) UnmarshalConfig(v configs.Value) error {
	*n = Names{given: true}
	if v.Kind() == configs.List {
		return v.Decode(&n.Names)
	}
	if v.Text() != "all" {
		return v.Errorf([]string{"all"}, "is %s (want a list)", v.Kind())
	}
	n.All = true
	return nil
}

// MarshalYAML writes what UnmarshalConfig reads.
func (n Names) MarshalYAML() (any, error) {
	if n.All {
		return "all", nil
	}
	return n.Names, nil
}

// IsZero reports whether nothing is given.
func (n Names) IsZero() bool { return !n.given && !n.All && n.Names == nil }

func init() {
	schema.Register[Names](schema.Schema{"anyOf": []any{
		schema.Schema{"type": "string", "enum": []any{"all"}},
		schema.Schema{"type": "array", "items": schema.Schema{"type": "string"}},
	}})
	share := schema.Schema{"type": "number", "minimum": 0.0, "maximum": 1.0}
	schema.Register[Density](schema.Schema{"anyOf": []any{share, schema.Schema{
		"type": "object", "properties": schema.Schema{"uniform": share, "structured": share}, "additionalProperties": false,
	}}})
}
