package std

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment"
)

// consistent checks that the parts of every level have the shares they say, and sum to no more
// than the whole.
func consistent(t *testing.T, x *cause.Tree, at string) {
	sum := 0.0
	for _, p := range x.Parts {
		require.GreaterOrEqual(t, p.Time, 0.0, at+"."+p.Name)
		require.InDelta(t, p.Time/x.Time, p.Share, 1e-9, at+"."+p.Name)
		sum += p.Share
		consistent(t, p, at+"."+p.Name)
	}
	require.LessOrEqual(t, sum, 1+1e-6, at)
}

// Every example says in a sentence what it spends most time on, and its tree of causes holds.
func TestEveryExampleSaysWhy(t *testing.T) {
	files, err := filepath.Glob("../../configs/examples/*.yaml")
	require.NoError(t, err)
	slow := map[string]bool{"llm-cluster": true, "llama3_prefill": true, "multicore_network": true, "resnet50_cache": true}
	ran := 0
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".yaml")
		t.Run(name, func(t *testing.T) {
			if testing.Short() && slow[name] {
				t.Skip("long")
			}
			x, err := experiment.Load(f, experiment.Options{})
			if err != nil && strings.Contains(err.Error(), "this is a sweep file") {
				t.Skip("a sweep")
			}
			if err != nil && os.Getenv("CAUSEWAY_INPUTS") == "" {
				t.Skip("needs inputs")
			}
			require.NoError(t, err)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, experiment.Complete, r.Status, r.Reason)
			require.NotEmpty(t, r.Sentence)
			require.NotContains(t, r.Sentence, "no node says")
			require.NotNil(t, r.Causes)
			require.Empty(t, r.Causes.Check())
			consistent(t, r.Causes, "run")
			ran++
		})
	}
	require.Greater(t, ran, 20)
}
