package policy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/policy"
)

// Peer: testdata/micro_golden.txt, per access.
func TestMicroTracesEqualTheTranscript(t *testing.T) {
	raw, err := os.ReadFile("testdata/micro_golden.txt")
	require.NoError(t, err)
	names := map[string]string{"srrip_hp": "srrip", "brrip8": "brrip", "optb": "opt_bypass"}
	g := policy.Geometry{Sets: 1, Ways: 4}
	var trace string
	var as []policy.Access
	checked := 0
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		if f[0] == "TRACE" {
			trace, as = f[1], nil
			for _, l := range f[2:] {
				as = append(as, policy.Access{Line: uint64(l[0])})
			}
			nextUses(as)
			continue
		}
		name, spec := f[0], any(nil)
		if name == "brrip8" {
			spec = policy.Bimodal{Every: 8}
		}
		if n, ok := names[name]; ok {
			name = n
		}
		c := newCore(t, name, g, spec)
		var got []string
		for _, a := range as {
			switch r := c.Access(a); {
			case r.Hit:
				got = append(got, "H")
			case r.Bypassed:
				got = append(got, "B")
			case r.Evicted:
				got = append(got, "M-"+string(rune(r.Victim)))
			default:
				got = append(got, "M")
			}
		}
		var final strings.Builder
		for _, l := range c.Lines(0) {
			final.WriteRune(rune(l))
		}
		got = append(got, "final=["+final.String()+"]")
		require.Equal(t, f[2:], got, "%s %s", trace, f[0])
		checked++
	}
	require.Equal(t, 44, checked)
}
