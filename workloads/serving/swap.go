package serving

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	Preemptions.Add(registry.Entry[func(any) Preemption]{
		Name:   "swap",
		Doc:    "The sequence that began last gives its blocks up; its entries wait in host memory while there is room.",
		Source: "Kwon et al., SOSP 2023, section 4.5",
		New:    func(any) Preemption { return lastBegun{swaps: true} },
	})
}
