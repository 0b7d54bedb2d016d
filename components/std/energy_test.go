package std

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// A core, a cache, two kinds of DRAM and a CXL device: every joule has one owner.
const owners = `
workload: {model: resnet18}
nodes:
  - {name: Core, kind: systolic, rows: 64, cols: 64, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}}
  - {name: LLC, kind: cache, size: 8MiB, slices: 8}
  - {name: Root, kind: cxl_root}
  - {name: Near, kind: memory, preset: ddr4_3200}
  - {name: Far, kind: cxl_type3, memory: {preset: ddr5_4800}}
links: [Core -> LLC.top, LLC.bottom -> Root.host, Root.mem -> Near, Root.down -> Far.up]
memory:
  - {tier: near, node: Near, base: 0B, size: 4GiB}
  - {tier: far, node: Far, base: 4GiB, size: 4GiB}
placement: {default: near, rules: [{tensor: weight, tier: far}]}
`

func value(t *testing.T, r *result.Result, where, name string) float64 {
	t.Helper()
	m, ok := r.Metric(where, name)
	require.True(t, ok, "%s.%s", where, name)
	return m.Value
}

// The energy of the whole is the sum over nodes to the last bit, and what a node
// takes is what went through it.
func TestOneOwnerPerJoule(t *testing.T) {
	// 10 pJ a byte of DRAM, 1 pJ a byte of the cache
	set := []string{"Near.fidelity=ideal", "Near.energy.byte=10pJ", "LLC.energy.byte=1pJ"}
	r := simulate(t, owners, set...)
	sum, parts := 0.0, map[string]float64{}
	for _, m := range r.Metrics {
		if m.Name == "energy" && m.Where != "" {
			sum += m.Value
			parts[m.Where] = m.Value
		}
		require.False(t, strings.HasPrefix(m.Where, "Core") && m.Name == "energy_dram", "the core owns no DRAM")
	}
	require.Equal(t, sum, value(t, r, "", "energy"))
	require.Len(t, parts, 6)
	for _, owner := range []string{"Core", "LLC", "Near", "Far", "Far.Memory", "Root"} {
		require.Positive(t, parts[owner], owner)
	}
	require.Empty(t, r.WithoutEnergy)
	require.Zero(t, value(t, r, "", "energy_without_model"))

	inside := value(t, r, "Core", "energy_mac") + value(t, r, "Core", "energy_vector") + value(t, r, "Core", "energy_register") + value(t, r, "Core", "energy_sram") + value(t, r, "Core", "energy_static")
	require.InEpsilon(t, inside, parts["Core"], 1e-12)
	above := value(t, r, "LLC", "read_bytes") + value(t, r, "LLC", "write_bytes")
	below := value(t, r, "LLC", "below_read_bytes") + value(t, r, "LLC", "below_write_bytes")
	near := value(t, r, "Near", "read_bytes") + value(t, r, "Near", "write_bytes")
	far := value(t, r, "Far.Memory", "read_bytes") + value(t, r, "Far.Memory", "write_bytes")
	require.Equal(t, below, near+far, "every byte below the cache is one of a memory")
	require.Less(t, below, above, "the cache catches some")
	require.InEpsilon(t, above+below, parts["LLC"], 1e-12)
	require.InEpsilon(t, 10*near, parts["Near"], 1e-12, "no hit of the cache is charged")
	buffer, err := energy.SRAMByte(energy.DefaultProcess, 256*64)
	require.NoError(t, err)
	require.InEpsilon(t, 2*buffer*far, parts["Far"], 1e-12, "a line is written to the device's buffer and read from it")
	sent := 0.0 // bits of flits of 68 B; 130 bits are sent for 128
	for _, way := range []string{"_down", "_up"} {
		sent += 68 * 8 * 130. / 128 * (value(t, r, "Root", "flits"+way) + value(t, r, "Root", "control_flits"+way) + value(t, r, "Root", "replayed_flits"+way))
	}
	require.InEpsilon(t, 6.5*sent, parts["Root"], 1e-4, "every flit is charged once")
	require.Greater(t, sent, 8*far)

	rows := r.Layers
	require.Negative(t, rows.Index("energy_dram"))
	layers := 0.0
	for _, row := range rows.Rows {
		layers += row[rows.Index("energy")].(float64)
	}
	require.InEpsilon(t, parts["Core"], layers, 1e-9, "layers are of the core")

	// Twice the cost of a byte of DRAM, or of a bit on the link, changes no other node.
	for twice, set := range map[string][]string{"Near": append(set, "Near.energy.byte=20pJ"), "Root": append(set, "Root.link.energy.bit=13pJ")} {
		s := simulate(t, owners, set...)
		for owner, e := range parts {
			if owner == twice {
				e *= 2
			}
			require.InEpsilon(t, e, value(t, s, owner, "energy"), 1e-12, owner)
		}
	}
}

// A core that reaches one memory through a network and another over a link of packets.
const carriers = `
workload: {model: resnet18}
nodes:
  - {name: Core, kind: systolic, rows: 64, cols: 64, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}}
  - {name: Net, kind: network, topology: {name: mesh, dims: [3, 2]}, energy: {router: piton}}
  - {name: Near, kind: memory, preset: ddr4_3200, fidelity: ideal}
  - {name: Wire, kind: memlink, preset: nvlink5}
  - {name: Far, kind: memory, preset: ddr5_4800, fidelity: ideal}
links: ["Core -> Net.terminal[0]", "Net.terminal[5] -> Near", "Net.terminal[2] -> Wire.top", Wire.bottom -> Far]
memory:
  - {tier: near, node: Near, base: 0B, size: 4GiB}
  - {tier: far, node: Far, base: 4GiB, size: 4GiB}
placement: {default: near, rules: [{tensor: weight, tier: far}]}
`

// What carries data owns what carrying takes: a network the bytes of flits at every router,
// a link the bits on its wires.
func TestCarriersOwnTheirEnergy(t *testing.T) {
	for _, fidelity := range []string{"flit", "packet", "flow"} {
		r := simulate(t, carriers, "Net.fidelity="+fidelity)
		require.Equal(t, []string{"Far"}, r.WithoutEnergy, "no figure for DDR5 by bytes")
		require.InEpsilon(t, 1.3*8*(value(t, r, "Wire", "request_bytes")+value(t, r, "Wire", "response_bytes")), value(t, r, "Wire", "energy"), 1e-12)
		net := value(t, r, "Net", "energy")
		if fidelity == "flit" {
			require.InEpsilon(t, 11.16/8*16*value(t, r, "Net", "flit_hops"), net, 1e-12)
		}
		// Two or three channels lie between core and memory, so a flit passes three or four routers.
		hop := 11.16 / 8 * 16 * value(t, r, "Net", "flits")
		require.Greater(t, net, 3*hop, fidelity)
		require.Less(t, net, 4*hop, fidelity)
		sum := 0.0
		for _, node := range []string{"Core", "Net", "Near", "Wire"} {
			sum += value(t, r, node, "energy")
		}
		require.InEpsilon(t, sum, value(t, r, "", "energy"), 1e-12)

		none := simulate(t, carriers, "Net.fidelity="+fidelity, "Net.energy.router=none", "Wire.energy.phy=none")
		require.Equal(t, []string{"Far", "Net", "Wire"}, none.WithoutEnergy)
	}
}

// A CXL link has a figure at each rate, unless it is given one.
func TestEnergyOfLinksByRate(t *testing.T) {
	r := simulate(t, owners, "Root.link.rate=64", "Root.link.flit=256B")
	require.Empty(t, r.WithoutEnergy)
	own := simulate(t, owners, "Root.link.rate=64", "Root.link.flit=256B", "Root.link.energy.bit=13pJ")
	require.Empty(t, own.WithoutEnergy)
	require.InEpsilon(t, 2*value(t, r, "Root", "energy"), value(t, own, "Root", "energy"), 1e-12, "6.5 pJ a bit are assumed")
}

// A memory without a public figure has no energy and is named; one without
// requests has a model, and took nothing.
func TestNodesWithoutEnergyAreNamed(t *testing.T) {
	r := simulate(t, owners, "Near.preset=hbm4", "Near.fidelity=bank", "Near.size=4GiB", "LLC.energy.process=none")
	require.Equal(t, []string{"LLC", "Near"}, r.WithoutEnergy)
	_, ok := r.Metric("Near", "energy")
	require.False(t, ok)

	r = simulate(t, owners, "placement.default=far")
	require.Empty(t, r.WithoutEnergy, "a CXL device and its link have figures")
	require.Zero(t, value(t, r, "Near", "energy"))
}

// Presets bring a figure only where one is published for the kind of DRAM.
func TestEnergyOfPresets(t *testing.T) {
	const plain = "workload: {model: alexnet}\nnodes:\n  - {name: Core, kind: systolic}\n  - {name: Mem, kind: memory, preset: ddr4_3200, fidelity: ideal}\nlinks: [Core -> Mem]\n"
	r := simulate(t, plain)
	bytes := value(t, r, "Mem", "read_bytes") + value(t, r, "Mem", "write_bytes")
	require.InEpsilon(t, 162.5*bytes, value(t, r, "Mem", "energy"), 1e-12)
	for _, set := range [][]string{{"Mem.energy.dram=none"}, {"Mem.preset=ddr5_4800"}} {
		r = simulate(t, plain, set...)
		require.Equal(t, []string{"Mem"}, r.WithoutEnergy)
		require.Equal(t, value(t, r, "Core", "energy"), value(t, r, "", "energy"))
	}
}

// Area is owned like energy: the whole is the sum of nodes, each from its source.
func TestOneOwnerPerArea(t *testing.T) {
	r := simulate(t, owners, "Core.energy.process=45nm", "LLC.policy.name=dco", "Near.fidelity=ideal")
	core, llc := value(t, r, "Core", "area"), value(t, r, "LLC", "area")
	require.InEpsilon(t, 64*64*419e-6, value(t, r, "Core", "area_array"), 1e-12, "int8 at 45 nm")
	require.InEpsilon(t, 0.346e-6*8*3*(64<<10), value(t, r, "Core", "area_sram"), 1e-12)
	require.InEpsilon(t, value(t, r, "Core", "area_array")+value(t, r, "Core", "area_registers")+value(t, r, "Core", "area_sram"), core, 1e-12)
	require.InEpsilon(t, 0.027e-6*8*(8<<20)+0.064, llc, 1e-12)
	require.Equal(t, core+llc, value(t, r, "", "area"))
	_, ok := r.Metric("Near", "area")
	require.False(t, ok)
}
