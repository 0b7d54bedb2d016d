package bound

import "github.com/causeway-sim/causeway/workloads/synthetic"

// A Demander is a node that may play a generated layer. Demand returns the layer and the node's
// operations per second; ok is false if it plays none. Nodes of one layer return equal layers.
type Demander interface {
	Demand() (layer synthetic.Layer, rate float64, ok bool)
}

// A Cached node is a shared cache. Machine returns its Machine and the name of its replacement
// policy; "" if the model does not apply.
type Cached interface {
	Machine() (m Machine, policy string)
}
