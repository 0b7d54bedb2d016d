package std_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/service"
	"github.com/causeway-sim/causeway/workloads/synthetic"
)

// A choice is an entry of a registry, with the keys of its parameters.
type choice struct {
	name string
	spec any
}

func choices[F any](r *registry.Registry[F]) (out []choice) {
	for _, e := range r.Entries() {
		out = append(out, choice{e.Name, e.Spec})
	}
	return out
}

// A home is where a registry's entries are named: a key of node X of a small system. Some
// entries do not go with the base alone; then the first of with that goes is taken.
type home struct {
	what    string
	key     string
	base    string
	entries []choice
	with    [][]string
}

var (
	network  = "  - {name: T, kind: traffic}\n  - {name: X, kind: network, fidelity: flit, topology: {name: mesh, dims: [2, 2]}}\nlinks: [T -> X]\n"
	networks = [][]string{
		{"X.topology={name: dragonfly, p: 1, a: 2, h: 1}"}, {"X.topology={name: fat_tree, k: 2, n: 2}"}, {"X.topology={name: hyperx}"},
		{"X.topology={name: crossbar, terminals: 4}"}, {"X.topology={name: torus, dims: [4, 4]}"}, {"X.topology={name: dragonfly, p: 1, a: 2, h: 1}", "X.router.flow=virtual_cut_through"},
	}
	groups = [][]string{{"X.ranks=8"}, {"X.ranks=9"}, {"X.ranks=16"}}
)

func homes() []home {
	var collectives []home
	for _, op := range []string{"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce", "gather", "scatter", "barrier"} {
		pattern := "{name: " + op + ", bytes: 1KiB}"
		if op == "barrier" {
			pattern = op
		}
		collectives = append(collectives, home{"collective for " + op, "X.collectives." + op,
			"  - {name: X, kind: ranks, ranks: 4, pattern: " + pattern + ", memory: 1TB/s}\n  - {name: Net, kind: network, reduce: true, topology: {name: crossbar, terminals: 16}}\nlinks: [X -> Net]\n", choices(collective.All), groups})
	}
	return append([]home{
		{"policy", "X.policy", small["cache/functional"], choices(policy.All), nil},
		{"prefetcher", "X.prefetch", small["cache/timed"], choices(prefetch.All), nil},
		{"topology", "X.topology", network, choices(topology.All), nil},
		{"routing", "X.routing", network, choices(routing.All), networks},
		{"pattern", "X.pattern", small["ranks"], choices(motif.All), groups},
		{"offload", "X.work", small["nearmem"], choices(offload.All), nil},
		{"service", "X.work", small["steps"], choices(service.All), nil},
		{"placement", "X.policy", small["tiering"], choices(placement.All), nil},
		{"generate", "X.generate", small["driver"], choices(synthetic.Layers), nil},
	}, collectives...)
}

// none are keys whose zero is nothing of what they add or share out.
var none = map[string]bool{
	"root": true, "percent": true, "coefficient": true, "threshold": true, "global_threshold": true, "local": true, "global": true,
	"share": true, "lag": true, "ramp": true, "reads": true, "delta": true, "epsilon": true, "free": true,
}

// The parameters of what stands behind a name refuse odd values like the keys of nodes.
func TestEveryParameterRefusesOddValues(t *testing.T) {
	walked, missing := 0, map[string]string{}
	for _, h := range homes() {
		for _, e := range h.entries {
			if e.spec == nil || missing[e.name] == "walked" {
				continue
			}
			set, with, err := h.settings(t, e.name)
			if err != nil {
				missing[e.name] = fmt.Sprintf("%s %s: no small system takes it: %v", h.what, e.name, err)
				continue
			}
			missing[e.name] = "walked"
			for _, k := range schema.Keys(e.spec) {
				o, ok := odd[k.Type]
				if !ok || k.Path == "seed" { // a seed is any number
					continue
				}
				walked++
				name := h.what + "." + e.name + "." + k.Path
				try := func(v string) {
					refused(t, name, v, k, set(append(with, fmt.Sprintf("%s.%s=%s", h.key, k.Path, v))...))
				}
				if o.kind == "" && !none[k.Path] && !explained.MatchString(k.Doc) {
					try(o.zero)
				}
				if !strings.Contains(k.Doc, "negative") {
					try(o.negative)
				}
				if name != "generate.hot_set.size" { // addresses have all 64 bits
					try(o.absurd)
				}
			}
		}
	}
	for _, why := range missing {
		if why != "walked" {
			t.Error(why)
		}
	}
	t.Logf("%d parameters", walked)
	require.Greater(t, walked, 140)
}

// settings finds what an entry goes with, and names it.
func (h home) settings(t *testing.T, name string) (set func(...string) error, with []string, err error) {
	set = parser(t, h.base)
	choice := fmt.Sprintf("%s={name: %s%s}", h.key, name, needs(t, name))
	for _, w := range append([][]string{nil}, h.with...) {
		with = append(w[:len(w):len(w)], choice)
		if err = set(with...); err == nil {
			return set, with, nil
		}
	}
	return nil, nil, err
}

// needs are parameters that an entry does not go without.
func needs(t *testing.T, name string) string {
	text := ""
	switch name {
	case "file":
		text = "terminals 0 2\nterminals 1 2\nchannel 0 1\n"
	case "table": // of the mesh, x first
		top, err := topology.New("mesh", topology.GridSpec{Dims: []int{2, 2}})
		require.NoError(t, err)
		text = "classes 1\n"
		for r := range 4 {
			for to := range 4 {
				next := to
				if to == 3-r {
					next = r ^ 1
				}
				for p := range top.Ports(r) {
					if at, _, ok := top.Peer(r, p); ok && at == next && to != r {
						text += fmt.Sprintf("route %d %d %d\n", r, to, p)
					}
				}
			}
		}
	default:
		return ""
	}
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return ", file: " + path
}
