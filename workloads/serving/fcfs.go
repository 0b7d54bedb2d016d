package serving

import "github.com/causeway-sim/causeway/components/registry"

// fcfs admits in the order of arrival.
type fcfs struct{}

func (fcfs) Next([]*Sequence) int { return 0 }

func init() {
	Admissions.Add(registry.Entry[func(any) Admission]{
		Name:   "fcfs",
		Doc:    "The request that arrived first.",
		Source: "vLLM, version 1, scheduling policy fcfs; https://docs.vllm.ai",
		New:    func(any) Admission { return fcfs{} },
	})
}
