package policy_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// Names of the reference files that are not ours.
var theirs = map[string]string{"srripfp": "srrip_fp", "drrip2": "drrip", "optb": "opt_bypass"}

// Peer: the figures of the reference programs, testdata/README.md. Every policy
// but random equals them exactly.
func TestHitsEqualTheReference(t *testing.T) {
	files := map[string]policy.Geometry{
		"hits_1MB_16way.csv":                   {Sets: 1024, Ways: 16},
		"hits_fully_associative_16384.csv":     {Sets: 1, Ways: 16384},
		"hits_upstream_policies_1MB_16way.csv": {Sets: 1024, Ways: 16},
	}
	byTrace := map[string][]figure{}
	for file, g := range files {
		for _, f := range readFigures(t, file, g) {
			byTrace[f.trace] = append(byTrace[f.trace], f)
		}
	}
	for _, tr := range tracetest.Reference() {
		figures := byTrace[tr.Name]
		if delete(byTrace, tr.Name); len(figures) == 0 {
			continue
		}
		t.Run(tr.Name, func(t *testing.T) {
			t.Parallel()
			as, one := collect(tr.Plain()), oneSet(tr.Name)
			for _, f := range figures {
				if one != nil && setsApart[f.policy] && f.g.Sets > 1 {
					got := run(newCore(t, f.policy, policy.Geometry{Sets: 1, Ways: f.g.Ways}, nil), one)
					require.Equal(t, f.hits, got.Hits*uint64(f.g.Sets), "hits of %s", f.policy)
					require.Equal(t, f.bypasses, got.Bypasses*uint64(f.g.Sets), "bypasses of %s", f.policy)
					continue
				}
				got := run(newCore(t, f.policy, f.g, nil), as)
				if f.policy == "random" {
					require.InDelta(t, float64(f.hits)/float64(len(as)), float64(got.Hits)/float64(len(as)), 0.01)
					continue
				}
				require.Equal(t, f.hits, got.Hits, "hits of %s with %d ways", f.policy, f.g.Ways)
				require.Equal(t, f.bypasses, got.Bypasses, "bypasses of %s with %d ways", f.policy, f.g.Ways)
			}
		})
	}
	require.Empty(t, byTrace, "figures of unknown traces")
}

// setsApart are policies whose sets do not know of each other.
var setsApart = map[string]bool{
	"lru": true, "fifo": true, "mru": true, "nru": true, "plru": true, "lip": true, "srrip": true, "srrip_fp": true,
	"opt": true, "opt_bypass": true,
}

// oneSet is what each of 1024 sets sees of a cyclic reference trace: a cycle of a
// 1024th of the lines, the same for all. It is nil for other traces.
func oneSet(name string) []policy.Access {
	var lines uint64
	var passes int
	if n, _ := fmt.Sscanf(name, "cyc%dx%d", &lines, &passes); n < 2 {
		return nil
	}
	return collect(tracetest.Cyclic(lines/1024, passes))
}

// figure is one row of a reference file.
type figure struct {
	g              policy.Geometry
	policy, trace  string
	hits, bypasses uint64
}

func readFigures(t *testing.T, file string, g policy.Geometry) []figure {
	raw, err := os.Open("testdata/" + file)
	require.NoError(t, err)
	defer raw.Close()
	recs, err := csv.NewReader(raw).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"policy", "geometry", "trace", "accesses", "hits", "bypasses"}, recs[0])
	var out []figure
	for _, r := range recs[1:] {
		f := figure{g: g, policy: r[0], trace: r[2]}
		if f.hits, err = strconv.ParseUint(r[4], 10, 64); err == nil {
			f.bypasses, err = strconv.ParseUint(r[5], 10, 64)
		}
		require.NoError(t, err)
		if n, ok := theirs[f.policy]; ok {
			f.policy = n
		} else if f.policy == "drrip" { // deviation 1
			continue
		}
		out = append(out, f)
	}
	return out
}
