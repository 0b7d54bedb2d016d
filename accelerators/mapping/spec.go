package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/workloads/fusion"
	"github.com/causeway-sim/causeway/workloads/schedule/assign"
)

// A Spec is the mapping section of a configuration.
//
// The tag sets of a key says what its value sets: a choice is made by the mapper where the key is left
// out, and no value of it makes a run faster (components/experiment tries them all); machine, data,
// work and program are given, and a value may be faster. The tag try has values of a choice whose
// values have no names.
type Spec struct {
	// Cores selects the nodes that share the work; all accelerators by default.
	Cores string `yaml:"cores" doc:"Nodes and arrays that share the work, separated by commas; left out: all accelerators" sets:"choice" try:"Core Core[0]"`
	// Split says how an operator is shared out: auto, layer, batch, head, column, row.
	Split string `yaml:"split" doc:"How operators are shared out: auto (each by the estimated time), layer, batch, head, column or row" jsonschema:"enum=auto,enum=layer,enum=batch,enum=head,enum=column,enum=row" sets:"choice"`
	// MicroBatches cuts the batch for the split layer: the cores are a pipeline.
	MicroBatches int `yaml:"micro_batches,omitempty" jsonschema:"minimum=1,description=Parts of the batch that go through the cores of a split by layer one after the other" sets:"choice" try:"1 2 4"`
	// Multicast says who fetches an operand that several cores read, under the split
	// auto: auto (equal cores before one memory without a cache fetch it together), all
	// (equal cores always fetch it together), none (each core fetches it).
	Multicast string `yaml:"multicast,omitempty" doc:"With split auto, who fetches what several cores read: auto (equal cores before one memory without a cache fetch it together), all (equal cores always do) or none (each for itself)" jsonschema:"enum=auto,enum=all,enum=none" sets:"choice"`
	// Rules names another program whose tiles of matrix products are taken, an entry of
	// Peers.
	Rules string `yaml:"rules,omitempty" doc:"Tiles of matrix products by the rules of another program" jsonschema:"enum=onnxim" sets:"choice"`
	// Objective of the tile search: time (least time of array and memory in parallel),
	// traffic (least memory bytes, then least cycles) or cycles (least compute cycles,
	// then bytes).
	Objective string `yaml:"objective" doc:"What tiles are chosen for: time (array and memory in parallel), traffic (memory bytes, then cycles) or cycles (compute cycles, then bytes)" jsonschema:"enum=time,enum=traffic,enum=cycles" sets:"choice"`
	// Fuse applies an activation function to the results of a matrix operator on
	// their way out, if no other operator reads these.
	Fuse bool `yaml:"fuse" doc:"Apply an activation function on the way out of the operator before it" sets:"choice"`
	// Assign says which core carries out which operator, where a node of kind schedule
	// hands them out.
	Assign assign.Spec `yaml:"assign,omitempty" doc:"Where a node of kind schedule hands operators out: which core carries out which" sets:"work"`
	// Fusion says which operators are cut into tiles that flow through a scratchpad.
	Fusion fusion.Spec `yaml:"fusion,omitempty" doc:"Where a node of kind schedule hands operators out: which are cut into tiles that flow through a scratchpad" sets:"work"`
	// Ranks is where the ranks of a communication trace go; "" leaves it to the
	// node of kind ranks.
	Ranks string `yaml:"ranks,omitempty" doc:"How the ranks of a communication trace are placed on terminals; left out: as the node of kind ranks says" jsonschema:"enum=linear,enum=random,enum=router,enum=group,enum=spread" sets:"work"`
	// Layout says how activations lie in memory.
	Layout layout.Layouts `yaml:"layout,omitempty" jsonschema:"description=How activations lie in memory or by patterns of their names such as {'L0.*': tiled}: row; tiled (blocks as wide and high as the array's longer side); channels_last" sets:"data"`
	// Block is the side of the blocks of tiled tensors; 0: the longer side of the cores'
	// arrays. A caller that maps parts of a system apart gives all of them the same.
	Block int64 `yaml:"-"`
	// Layers overrides the search for the layers that match.
	Layers []Rule `yaml:"layers" doc:"Rules that fix a part of the mapping of the layers that they match; the first that matches holds"`
}

// A Rule fixes what it names in the mapping of the layers it matches; the rest
// is searched. The first rule that matches holds.
type Rule struct {
	// Match is the layer's name or a pattern with * and ?.
	Match string `yaml:"match" doc:"Name of a layer, with * for any text and ? for one character" sets:"work"`
	// Core restricts the rule to one core, by its position in cores.
	Core *int     `yaml:"core,omitempty" doc:"The one core that the rule is for, by its place in cores" sets:"work"`
	Tile dma.Tile `yaml:"tile,omitempty" doc:"Sizes of the memory tile; what is left out is searched"`
	// Order of the memory loops from the outside in: mnk, mkn, nmk, nkm, kmn, knm.
	Order string `yaml:"order,omitempty" doc:"Loops over memory tiles from the outside in" jsonschema:"enum=mnk,enum=nmk,enum=nkm,enum=knm,enum=mkn,enum=kmn" sets:"choice"`
	// Resident is the operand kept while the innermost loop runs: ifmap, filter
	// or ofmap.
	Resident string `yaml:"resident,omitempty" doc:"Operand that stays while the innermost loop runs" jsonschema:"enum=ifmap,enum=filter,enum=ofmap" sets:"choice"`
}

// DefaultSpec splits by estimated time, for least time, with fusion.
func DefaultSpec() Spec { return Spec{Split: "auto", Objective: "time", Fuse: true} }
