package system_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Two kinds that run as one component: a root with an inside that leads to leaves,
// each with a memory inside.
type fusedRoot struct{ *fake }

func (fusedRoot) Nominal() (uint64, units.Bandwidth) { return 7, 0 }
func (fusedRoot) Below(string) []string              { return []string{"down[0]", "down[1]"} }
func (f fusedRoot) Fuse(x *system.Fusion) error {
	f.fake.spec = x
	if len(x.Parts) == 2 {
		return fmt.Errorf("only one leaf")
	}
	return nil
}

type fusedLeaf struct {
	*fake
	inner system.Node
}

func (l fusedLeaf) Nominal() (uint64, units.Bandwidth) { return 3, 0 }
func (l fusedLeaf) Home() uint64                       { return 1 << 20 }
func (l fusedLeaf) Fuse(*system.Fusion) error          { panic("the root is the first by name") }

func init() {
	type rootSpec struct{}
	system.Register(system.Kind[rootSpec]{
		Name: "fused_root", Doc: "Root of what runs as one.",
		New: func(env *system.Env, name string, s rootSpec, _ configs.Value) (system.Node, error) {
			f := newFake(name, s)
			f.port(env.Engine, "Host", system.PortSpec{Name: "host", Protocol: system.Mem, Role: system.Responds, Many: true, Clock: clock.GHz}, 1)
			f.port(env.Engine, "Down", system.PortSpec{Name: "down", Protocol: "fused", Role: system.Requests, Array: true, Optional: true, Fused: true, Clock: clock.GHz}, 2)
			return fusedRoot{f}, nil
		},
	})
	type leafSpec struct {
		Memory system.Value `yaml:"memory" doc:"What is inside"`
	}
	system.Register(system.Kind[leafSpec]{
		Name: "fused_leaf", Doc: "Leaf of what runs as one.",
		New: func(env *system.Env, name string, s leafSpec, v configs.Value) (system.Node, error) {
			f := newFake(name, s)
			f.port(env.Engine, "Up", system.PortSpec{Name: "up", Protocol: "fused", Role: system.Responds, Fused: true, Clock: clock.GHz}, 1)
			inner, err := env.Inside(name+".Memory", v.Get("memory"))
			return fusedLeaf{f, inner}, err
		},
	})
}

const fusedText = `schema: causeway/1
nodes:
  - {name: Core, kind: core}
  - {name: Basis, kind: fused_root}
  - {name: Leaf, kind: fused_leaf, count: 2, memory: {kind: memory, fidelity: ideal, size: 1MiB}}
links:
  - Core -> Basis.host
  - {link: "Leaf[1] -> Basis.down[1]", latency: 10ns}
  - Basis.down[0] -> Leaf[0]
memory:
  - {tier: far, node: Leaf, size: 2MiB, interleave: 1KiB}
`

func TestPartsAreFused(t *testing.T) {
	s := must(t, fusedText)
	f := s.Node("Basis").(fusedRoot).spec.(*system.Fusion)
	require.Len(t, f.Parts, 3)
	require.Len(t, f.Joints, 2)
	for i, j := range f.Joints {
		require.Equal(t, "Basis", j.From.Name())
		require.Equal(t, fmt.Sprintf("down[%d]", i), j.FromPort)
		require.Equal(t, fmt.Sprintf("Leaf[%d]", i), j.To.Name())
		require.Equal(t, "up", j.ToPort)
		require.Equal(t, i == 1, j.Latency != nil)
	}
	require.Len(t, f.Tiers, 1)
	require.Equal(t, uint64(2<<20), f.Tiers[0].Size)
	require.Equal(t, uint64(1<<10), f.Tiers[0].Interleave)
	require.Len(t, f.Tiers[0].Homes, 2)
	require.Len(t, s.Wires(), 1, "fused links are no wires")
	require.NotNil(t, s.Node("Leaf[1].Memory"), "what is inside belongs to the system")
	// the way to the leaves ends at the root, for the core
	m := s.Node("Core").(core).maps["mem"]
	r, i, _, ok := m.Find(5000)
	require.True(t, ok)
	require.Equal(t, "Basis.Host", r.Ports[i].Name())
}

func TestFusionFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"count: 2, memory: {kind: memory, fidelity: ideal, size: 1MiB}}", "memory: {kind: memory, fidelity: ideal, size: 1MiB}}", "only one leaf"},
		{"kind: memory, fidelity: ideal, size: 1MiB", "kind: memory, fidelity: ideal, size: 1MiB, colour: red", "colour"},
		{"kind: memory, fidelity: ideal, size: 1MiB", "kind: mex", `unknown kind "mex"`},
		{"kind: memory, fidelity: ideal, size: 1MiB", "size: 1MiB", "a node has no kind"},
	} {
		text := strings.Replace(fusedText, c.old, c.new, 1)
		if c.want == "only one leaf" {
			text = strings.Replace(text, "Leaf[1] -> Basis.down[1]", "Leaf -> Basis.down[1]", 1)
			text = strings.Replace(text, "  - Basis.down[0] -> Leaf[0]\n", "", 1)
			text = strings.Replace(text, "size: 2MiB, interleave: 1KiB", "size: 1MiB", 1)
		}
		_, err := build(text)
		require.ErrorContains(t, err, c.want)
	}
}
