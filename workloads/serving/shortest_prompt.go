package serving

import "github.com/causeway-sim/causeway/components/registry"

// shortestPrompt admits the request with the shortest prompt. The length of the answer is not
// known to a server.
type shortestPrompt struct{}

func (shortestPrompt) Next(waiting []*Sequence) (next int) {
	for i, q := range waiting {
		if q.Prompt < waiting[next].Prompt {
			next = i
		}
	}
	return next
}

func init() {
	Admissions.Add(registry.Entry[func(any) Admission]{
		Name:   "shortest_prompt",
		Doc:    "The request with the shortest prompt, of equal ones the first; long ones may wait without end.",
		Source: "shortest job first: Phipps, Machine repair as a priority waiting-line problem, Operations Research 1956",
		New:    func(any) Admission { return shortestPrompt{} },
	})
}
