package tracetest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// Peer: sums of the files that the reference program wrote, testdata/README.md.
func TestReferenceTracesEqualThePeersBytes(t *testing.T) {
	raw, err := os.ReadFile("testdata/tracegen.sha256")
	require.NoError(t, err)
	want := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		want[strings.TrimSuffix(f[1], ".bin")] = f[0]
	}
	for _, tr := range tracetest.Reference() {
		t.Run(tr.Name, func(t *testing.T) {
			h := sha256.New()
			require.NoError(t, tr.WriteRecords(h))
			require.Equal(t, want[tr.Name], hex.EncodeToString(h.Sum(nil)))
			delete(want, tr.Name)
		})
	}
	require.Empty(t, want)
}
