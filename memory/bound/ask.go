package bound

import "github.com/causeway-sim/causeway/workloads/synthetic"

// A Demander is a node that plays a generated layer: the layer, the rate in
// operations per second at which it computes, and whether it does so at all. Nodes of
// one layer return equal layers.
type Demander interface {
	Demand() (layer synthetic.Layer, rate float64, ok bool)
}

// A Cached node is a shared cache whose machine the model knows, with the name of its
// replacement policy; "" if the model does not apply.
type Cached interface {
	Machine() (m Machine, policy string)
}
