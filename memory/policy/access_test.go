package policy

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Accesses are handed on by value, for every lookup. Their size is one whose copies do not
// wait for one another.
func TestAccessIsCopiedInWholePieces(t *testing.T) {
	require.Zero(t, unsafe.Sizeof(Access{})%16)
}
