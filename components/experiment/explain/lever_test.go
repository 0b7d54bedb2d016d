package explain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
)

// Levers of nodes that have nothing to do come last; those of the workload and of nodes without a
// tree keep their places.
func TestIdleLast(t *testing.T) {
	node := func(name string, work float64) *cause.Tree {
		x := cause.New(name, cause.Memory)
		x.Add("transfer", "moving data", work)
		return x
	}
	base := cause.Join(100, []*cause.Tree{node("Rare[0]", 4), node("Rare[1]", 1), node("Often", 20)})
	all := []lever{{text: "a", of: "Rare[0]"}, {text: "b"}, {text: "c", of: "Often"}, {text: "d", of: "Rare[0]"}, {text: "e", of: "None"}}
	idleLast(all, base)
	order := ""
	for _, l := range all {
		order += l.text
	}
	require.Equal(t, "bcead", order)
	idleLast(all, nil)
}
