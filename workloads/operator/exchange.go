package operator

import "github.com/causeway-sim/causeway/workloads/graph"

// exchangeForms are transfers between the chips of a machine.
func init() {
	collective := append(need("elements"), may("ranks", 8))
	for name, doc := range map[string]string{
		"all_reduce":        "sum over ranks chips of a machine of elements on each (NCCL)",
		"custom_all_reduce": "the same by TensorRT-LLM's own kernel, which leaves large ones to NCCL",
		"all_gather":        "elements gathered on each of ranks chips of a machine, an equal part from each",
		"reduce_scatter":    "sum over ranks chips of a machine of elements, of which each chip keeps an equal part",
		"all_to_all":        "elements on each of ranks chips of a machine, an equal part for each",
	} {
		forms[name] = form{doc, collective, buildCollective(name)}
	}
	tokens := append(need("tokens", "hidden", "top_k", "experts"), may("ranks", 8), may("sms", 0))
	forms["dispatch"] = form{"tokens of each of ranks chips of a machine sent to the chips of the experts that they pick, by so many sms; 0: by kernels of low latency (DeepEP)", tokens, buildSpread("dispatch")}
	forms["combine"] = form{"results of experts sent back to the chips of their tokens and summed up, as dispatch", tokens, buildSpread("combine")}
}

func buildCollective(fn string) func(*graph.Builder, string, func(string) int) {
	return func(b *graph.Builder, name string, get func(string) int) {
		n, ranks := get("elements"), get("ranks")
		in, out, part := n, n, (n+ranks-1)/ranks
		switch fn {
		case "all_gather":
			in = part
		case "reduce_scatter":
			out = part
		}
		b.Output(b.Op(name, graph.Exchange{Func: fn, Ranks: ranks}, []graph.TensorID{b.Input(name+".x", in)}, out))
	}
}

func buildSpread(fn string) func(*graph.Builder, string, func(string) int) {
	return func(b *graph.Builder, name string, get func(string) int) {
		tokens, hidden, picks := get("tokens"), get("hidden"), get("top_k")
		k := graph.Exchange{Func: fn, Ranks: get("ranks"), Experts: get("experts"), Picks: picks, SMs: get("sms")}
		in, out := []int{tokens, hidden}, []int{tokens, picks, hidden}
		if fn == "combine" {
			in, out = out, in
		}
		b.Output(b.Op(name, k, []graph.TensorID{b.Input(name+".x", in...)}, out...))
	}
}
