package system_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/memory/ideal"
)

func build(src string, set ...string) (*system.System, error) {
	doc, err := configs.Parse("t.yaml", []byte(src), configs.Options{Set: set})
	if err != nil && doc == nil {
		return nil, err
	}
	var errs configs.Errors
	errs.Add(err)
	s, err := system.Build(doc, &system.Env{Engine: engine.New()})
	errs.Add(err)
	return s, errs.Err()
}

func must(t testing.TB, src string, set ...string) *system.System {
	t.Helper()
	s, err := build(src, set...)
	require.NoError(t, err)
	return s
}

// describe prints nodes, wires and maps: all that Build decides.
func describe(s *system.System) string {
	var b strings.Builder
	for _, n := range s.Nodes() {
		fmt.Fprintf(&b, "%s", n.Name())
		if f, ok := n.(interface{ Spec() any }); ok {
			fmt.Fprintf(&b, " %+v", f.Spec())
		}
		b.WriteByte('\n')
		if m, ok := n.(interface{ Maps() string }); ok {
			b.WriteString(m.Maps())
		}
	}
	for _, w := range s.Wires() {
		fmt.Fprintf(&b, "%s\n", w.Name())
	}
	for _, l := range s.Links() {
		fmt.Fprintf(&b, "%s\n", l)
	}
	return b.String()
}

func (f *fake) Spec() any { return f.spec }

func (f *fake) Maps() string {
	var b strings.Builder
	for _, p := range f.specs {
		for i := range p.Ports {
			name := p.Name
			if p.Array {
				name = fmt.Sprintf("%s[%d]", p.Name, i)
			}
			m := f.maps[name]
			if m == nil {
				continue
			}
			for _, r := range m.Ranges() {
				fmt.Fprintf(&b, "  %s: %s %#x+%#x", name, r.Tier, r.Base, r.Size)
				if r.Interleave > 0 {
					fmt.Fprintf(&b, " every %d", r.Interleave)
				}
				for k, p := range r.Ports {
					h := r.Paths[k]
					fmt.Fprintf(&b, " %s(%d+%d+%d %v)", p.Name(), h.Request, h.Latency, h.Response, h.Bandwidth)
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func TestOneCoreOneMemory(t *testing.T) {
	s := must(t, `
schema: causeway/1
nodes:
  - {name: Mem, kind: memory, fidelity: ideal, size: 1GiB, latency: 10ns, bandwidth: 16GB/s}
  - {name: Core, kind: core}
links:
  - Core -> Mem
`)
	require.Equal(t, `Core {Rows:8 Clock:1GHz Queue:4}
  mem: mem 0x0+0x40000000 Mem.Top(1+10+1 16GB/s)
Mem
Link.Core.Mem
Core.mem - Mem.top
`, describe(s))
}
