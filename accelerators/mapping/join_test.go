package mapping

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// pairs is what each job waits for by the rule of pairs: of the makers of its inputs the last
// job of each other core, unless it has waited for that core as long already.
func pairs(g *graph.Graph, programs []Program) map[Token][]Token {
	type place struct{ core, at int }
	made := make([][]Token, len(g.Tensors))
	at, local := map[Token]place{}, map[Token]bool{}
	of := map[int][]Token{} // jobs of an operator
	for c := range programs {
		for i := range programs[c].Jobs {
			j, t := &programs[c].Jobs[i], programs[c].Token(i)
			at[t], local[t] = place{c, i}, j.Local
			of[j.Op] = append(of[j.Op], t)
		}
	}
	fused := map[int][]int{}
	for c := range programs {
		for i := range programs[c].Jobs {
			fused[programs[c].Jobs[i].Op] = programs[c].Jobs[i].Fused
		}
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		if k, ok := op.Kind.(graph.Move); ok && k.Elements == 0 {
			made[op.Out[0]] = append(made[op.Out[0]], made[op.In[0]]...)
			continue
		}
		out := op.Out
		if f := fused[i]; len(f) > 0 {
			out = g.Ops[f[len(f)-1]].Out
		}
		for _, id := range out {
			made[id] = append(made[id], of[i]...)
		}
	}
	waits := map[Token][]Token{}
	for c := range programs {
		seen := map[int]int{}
		for i := range programs[c].Jobs {
			j, me := &programs[c].Jobs[i], programs[c].Token(i)
			last := map[int]Token{}
			for _, id := range inputs(&g.Ops[j.Op], opsOf(g, j.Fused)) {
				if id == graph.None {
					continue
				}
				for _, t := range made[id] {
					if other := at[t].core; other != c && !(j.Local && local[t]) {
						if l, ok := last[other]; !ok || at[t].at > at[l].at {
							last[other] = t
						}
					}
				}
			}
			for other, t := range last {
				if at[t].at >= seen[other] {
					seen[other] = at[t].at + 1
					waits[me] = append(waits[me], t)
				}
			}
		}
	}
	return waits
}

// A job waits by joins for what it waits for by pairs, and for nothing that it would not have
// waited for by then: each of the others comes before a job that it has waited for.
func TestJoinsAreTheWaitsOfPairs(t *testing.T) {
	core := machine.Core{Array: dataflow.Array{Rows: 4, Cols: 4}, Dataflow: "ws", SRAM: machine.SRAM{Ifmap: 512, Filter: 512, Ofmap: 1024}, Accumulator: graph.Int32, Lanes: 4}
	waited := 0
	for _, batch := range []int{1, 3, 8} {
		g := tiny(t, batch)
		for _, split := range Splits() {
			for _, n := range []int{2, 4, 5, 9, 40} {
				spec := DefaultSpec()
				spec.Split = split
				cores := make([]machine.Core, n)
				for i := range cores {
					cores[i] = core
				}
				programs, err := Split(g, cores, spec)
				require.NoError(t, err)
				want, awaited := pairs(g, programs), map[Token]bool{}
				at := map[Token]int{}
				for c := range programs {
					for i := range programs[c].Jobs {
						at[programs[c].Token(i)] = i
					}
				}
				for c := range programs {
					known := map[int32]int{} // by core: the last job waited for
					for i := range programs[c].Jobs {
						me := programs[c].Token(i)
						for _, w := range want[me] {
							known[w.Core] = max(known[w.Core], at[w]+1)
						}
						by := map[Token]bool{}
						for _, j := range programs[c].Jobs[i].After {
							for _, m := range j.Members {
								if m.Core != int32(c) {
									by[m], awaited[m] = true, true
									require.Less(t, at[m], known[m.Core], "%s %d: %v waits for %v", split, n, me, m)
									waited++
								}
							}
						}
						for _, w := range want[me] {
							require.True(t, by[w], "%s %d: %v does not wait for %v", split, n, me, w)
						}
					}
				}
				for c := range programs {
					for i := range programs[c].Jobs {
						require.Equal(t, awaited[programs[c].Token(i)], programs[c].Jobs[i].Awaited)
					}
				}
			}
		}
	}
	require.Greater(t, waited, 10_000)
}

// What a program says of others grows with the number of cores, not with its square.
func TestJoinsGrowWithCores(t *testing.T) {
	size := func(n int) (members int) {
		b := graph.NewBuilder("chain")
		x := b.Input("x", 512, 512)
		for l := range 6 {
			x = b.Linear(fmt.Sprintf("fc%d", l), x, 512)
		}
		b.Output(x)
		g, err := b.Graph()
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.Int8))
		cores := make([]machine.Core, n)
		for i := range cores {
			cores[i] = tpu("ws")
		}
		spec := DefaultSpec()
		spec.Split = "column"
		programs, err := Split(g, cores, spec)
		require.NoError(t, err)
		seen := map[*Join]bool{}
		for _, p := range programs {
			for _, j := range p.Jobs {
				members += len(j.After)
				for _, of := range j.After {
					if !seen[of] {
						seen[of] = true
						members += len(of.Members)
					}
				}
			}
		}
		return members
	}
	require.Equal(t, 2*5*32, size(32))
	require.Equal(t, 2*5*256, size(256))
}
