package booksim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/components/importer/booksim"
	"github.com/causeway-sim/causeway/components/importer/importertest"
)

func accepted(t *testing.T, res *result.Result) float64 {
	m, ok := res.MetricIn("measure", "Traffic", "accepted_load")
	require.True(t, ok)
	return m.Value
}

// The network accepts what the tool would offer: packets per cycle times flits of a packet.
func TestImport(t *testing.T) {
	require.InDelta(t, .1, accepted(t, importertest.Case(t, "booksim", "torus")), .01)
}

func TestImportOfRequestsAndReplies(t *testing.T) {
	res := importertest.Case(t, "booksim", "fly")
	require.InDelta(t, .05*(1+3), accepted(t, res), .05)
}

func TestImportOfNetworkFile(t *testing.T) {
	require.InDelta(t, .1, accepted(t, importertest.Case(t, "booksim", "any", "any/any")), .02)
}

func TestTable(t *testing.T) {
	importertest.Tables(t, booksim.Format)
	values := map[string]string{
		"topology": "mesh", "routing_function": "dor", "traffic": "uniform", "network_file": "x", "injection_process": "bernoulli",
		"sim_type": "latency", "vc_allocator": "islip", "sw_allocator": "islip", "use_noc_latency": "1", "c": "1", "injection_rate": "0.1",
	}
	importertest.Every(t, booksim.Format, func(key string) *importer.Input {
		value := values[key]
		if value == "" {
			value = "3"
		}
		text := "topology = mesh; routing_function = dor;\n"
		if key == "network_file" {
			text = "topology = anynet; routing_function = min;\n"
		}
		return &importer.Input{Files: []importer.File{{Path: "a", Text: text + key + " = " + value + ";\n"}}}
	})
}

func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"topology = mesh; k = 4; n = 2; routing_function = dorr;":          `a:1: routing_function: "dorr" is no algorithm of topology mesh (want one of: adaptive_xy_yx, chaos, dim_order`,
		"topology = qtree;\nk = 4;":                                        `a:1: topology: has no counterpart here: "qtree" (want one of: anynet, cmesh`,
		"topology = fly; n = 2; routing_function = dest_tag;":              "a:1: n: a fly of 2 stages has no counterpart here",
		"topology = mesh; k = four; routing_function = dor;":               `a:1: k: "four" is not a whole number`,
		"topology = mesh; routing_function = dor; traffic = unifrom;":      `a:1: traffic: unknown pattern "unifrom" (want one of: uniform, bitcomp`,
		"topology = mesh; routing_function = dor; num_vcs = 0;":            "a:1: num_vcs: is 0 (want 1 or more)",
		"topology = mesh; routing_function = dor; num_vcs = -3;":           "a:1: num_vcs: is -3 (want 1 or more)",
		"topology = mesh; routing_function = dor; vc_buf_size = 0;":        "a:1: vc_buf_size: is 0 (want 1 or more)",
		"topology = mesh; routing_function = dor; alloc_iters = 0;":        "a:1: alloc_iters: is 0 (want 1 or more)",
		"topology = mesh; routing_function = dor; internal_speedup = 0;":   "a:1: internal_speedup: is 0 (want more than 0)",
		"topology = mesh; routing_function = dor;\nnum_vc = 8; clour = 1;": `a:2: num_vc: unknown key (did you mean "num_vcs"?); BookSim ends with the error Unknown field`,
		"topology = mesh; routing_function = dor; sim_type = latence;":     `a:1: sim_type: unknown value "latence" (want one of: latency, throughput, batch)`,
	} {
		_, err := importer.Convert(booksim.Format, &importer.Input{Files: []importer.File{{Path: "a", Text: text}}})
		require.ErrorContains(t, err, want, text)
	}
}

// Hot terminals are read as the tool reads them: a list has braces of its own, and what has none is
// its first number. Routing ugal has the virtual channels that it needs here.
func TestWhatTheToolReads(t *testing.T) {
	for text, want := range map[string]string{
		"traffic = hotspot(35,10);":          "terminals: [35]\n",
		"traffic = hotspot(9);":              "terminals: [9]\n",
		"traffic = hotspot({0,5});":          "terminals: [0]\n",
		"traffic = hotspot({{0,5}});":        "terminals: [0, 5]\n",
		"traffic = hotspot({{0,5},{1,3}});":  "terminals: [0, 5]\n",
		"traffic = hotspot({{0, 5 }, {1}});": "terminals: [0, 5]\n",
		"traffic = hotspot;":                 "terminals: [0]\n",
		// {1,5} are sizes of two classes, {{1,5}} of one, three of four packets with one flit: 2 in the mean.
		"injection_rate = 0.15; packet_size = {1,5};":                               "load: 0.15 ",
		"injection_rate = 0.15; packet_size = {{1,5}}; packet_size_rate = {{3,1}};": "load: 0.3 ",
		"injection_rate = 0.1; packet_size = {{1,2}};":                              "load: 0.15 ", // 1.5 flits
		"packet_size = {{1,5}}; packet_size_rate = {{3,1}};":                        "packet: 2 ",
		// A setting that the result comes from is in its comment, and not among those that add nothing.
		"injection_rate = 0.2; packet_size = 5; injection_rate_uses_flits = 1;": "load: 0.2 # injection_rate = 0.2, injection_rate_uses_flits = 1, packets of 5\n",
		"injection_rate = 0.2; packet_size = 5; injection_rate_uses_flits = 0;": "load: 1 # injection_rate = 0.2, injection_rate_uses_flits = 0, packets of 5\n",
		"sim_type = latency;":  "limit: 500 # BookSim's default of latency_thres, sim_type = latency\n",
		"packet_size = {4,2};": "packet: 4 ",
	} {
		d, err := importer.Convert(booksim.Format, &importer.Input{Files: []importer.File{{Path: "a", Text: "topology = mesh; k = 8; n = 2; routing_function = dor;\n" + text}}})
		require.NoError(t, err, text)
		out, err := d.Bytes()
		require.NoError(t, err)
		require.Contains(t, string(out), want, text)
		require.NotContains(t, string(out), "adds nothing", text)
	}
	for _, vcs := range []string{"3", "4", "16"} {
		d, err := importer.Convert(booksim.Format, &importer.Input{Files: []importer.File{{Path: "a", Text: "topology = dragonflynew; k = 2; n = 1; routing_function = ugal; num_vcs = " + vcs + ";"}}})
		require.NoError(t, err)
		out, err := d.Bytes()
		require.NoError(t, err)
		require.Contains(t, string(out), "vcs: 4")
	}
}
