package integer

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Every function is what arithmetic without limits says.
func TestIntegersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(0, 1<<40).Draw(t, "a"), rapid.Int64Range(1, 1<<40).Draw(t, "b")
		up := func(num, den *big.Int) int64 {
			q, r := new(big.Int).QuoRem(num, den, new(big.Int))
			if r.Sign() > 0 {
				q.Add(q, big.NewInt(1))
			}
			return q.Int64()
		}
		require.Equal(t, up(big.NewInt(a), big.NewInt(b)), Ceil(a, b))
		require.Equal(t, new(big.Int).GCD(nil, nil, big.NewInt(a), big.NewInt(b)).Int64(), GCD(a, b))
		n := rapid.Int64Range(0, 1<<62).Draw(t, "n")
		part := rapid.Int64Range(0, b).Draw(t, "part")
		product := new(big.Int).Mul(big.NewInt(n), big.NewInt(part))
		require.Equal(t, new(big.Int).Quo(product, big.NewInt(b)).Int64(), Scale(n, part, b))
		require.Equal(t, up(product, big.NewInt(b)), CeilScale(n, part, b))
	})
	require.Equal(t, 5, GCD(0, 5))
	require.Equal(t, uint64(3), Ceil[uint64](5, 2))
	require.EqualValues(t, 7, Scale(9, 7, 9), "of all there is")
}

// Divisors by hand, and products of primes are the divisors of their product.
func TestDivisors(t *testing.T) {
	require.Equal(t, []int{1, 2, 3, 4, 6, 12}, Divisors(12))
	require.Equal(t, []int64{1}, Products(nil))
	require.Equal(t, []int64{1, 2, 3, 4, 6, 12}, Products([]int64{2, 3, 2}))
}
