package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// Step-3.5 and 3.7 Flash (StepFun): windows in three of four layers, a gate for each head of the
// result, experts and a shared one.
func init() {
	f := hubFamily{positions: 65536, window: 512, adjust: step3, Decoder: zoo.Decoder{QKNorm: true, OutGate: zoo.GateHead, Experts: 288, ActiveExperts: 8}}
	addHub(f, "step3p5", "step3p7")
}

func step3(o *hubModel, d *zoo.Decoder) {
	d.SharedFF = o.number(d.FF, 1, maxHub, "share_expert_dim") * o.number(1, 0, 64, "n_shared_experts")
	o.plainLayers(d, o.number(d.FF, 1, maxHub, "intermediate_size"))
	o.further()
}
