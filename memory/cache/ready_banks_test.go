package cache_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// Banks whose lines all need the write buffer get its entries in the order of
// their requests: no slice falls behind.
func TestTheWriteBufferIsShared(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.Slices, s.Write, s.WriteBuffer, s.Burst = 4, "around", 2, 64
	e := engine.New()
	llc := newTimed(t, e, s)
	m := newFlat(e, 50)
	log := &portLog{}
	m.GetPortByName("Top").AcceptHook(log)
	onMemory(t, e, llc, m)
	r := memtest.New("Core", e, clock.GHz, llc.GetPortByName("Top"))
	var want []string
	for i := range uint64(12) {
		if i%4 == 0 {
			r.List = append(r.List, memtest.Request{Bytes: 256, Addr: 64 * i, Write: true})
		}
		want = append(want, fmt.Sprintf("W %d", i))
	}
	memtest.Wire(e, llc.GetPortByName("Top"), clock.GHz, r)
	r.Start()
	require.NoError(t, e.Run())
	require.Equal(t, want, log.got)
	require.Empty(t, llc.Stats().Verify())
}
