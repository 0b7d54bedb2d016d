package experiment

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// A computation that does not look at its context ends with it all the same.
func TestAbandon(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	never := make(chan int)
	go cancel()
	_, err := untilCancelled(ctx, func() (int, error) { return <-never, nil })
	require.ErrorIs(t, err, context.Canceled)
	close(never)

	n, err := untilCancelled(t.Context(), func() (int, error) { return 3, errors.New("x") })
	require.Equal(t, 3, n)
	require.EqualError(t, err, "x")
	require.Panics(t, func() { _, _ = untilCancelled(t.Context(), func() (int, error) { panic("x") }) })
}
