package serving

import "github.com/causeway-sim/causeway/components/registry"

// lastBegun preempts the sequence that began last.
type lastBegun struct{ swaps bool }

func (lastBegun) Victim(running []*Sequence) int { return len(running) - 1 }

func (p lastBegun) Swaps() bool { return p.swaps }

func init() {
	Preemptions.Add(registry.Entry[func(any) Preemption]{
		Name:   "recompute",
		Doc:    "The sequence that began last gives its blocks up; its entries are computed again.",
		Source: "Kwon et al., SOSP 2023, section 4.5; vLLM, version 1",
		New:    func(any) Preemption { return lastBegun{} },
	})
}
