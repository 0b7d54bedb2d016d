package outstanding

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// The message of a line to a memory has what the requester says of itself, but not when another memory took it in: that is
// unknown until this one says so. A slot that is used again has nothing of the line before.
func TestMessagesBeginUnaccepted(t *testing.T) {
	port := engine.NewPort(nil, "Far.Mem", 1)
	s := Slots{Src: port}
	m := s.Message(7, false, 64, port, Reason{Hint: &memory.Hint{PC: 5, Accepted: 3e-9, AcceptedIn: 9}}, 0).(*mem.ReadReq)
	h := m.Info.(*memory.Hint)
	require.Equal(t, memory.Hint{PC: 5}, *h)
	require.Zero(t, s.all[0].Accepted())
	h.Accepted = 2e-9
	require.EqualValues(t, 2000, s.all[0].Accepted(), "picoseconds")
	x, err := s.Answered(m.ID)
	require.NoError(t, err)
	require.EqualValues(t, 7, x.Line)
	_, err = s.Answered(m.ID)
	require.ErrorContains(t, err, "is not outstanding")
	w := s.Message(8, true, 128, port, Reason{}, 0).(*mem.WriteReq)
	require.Equal(t, m.ID, w.ID)
	require.Equal(t, memory.Hint{}, *w.Info.(*memory.Hint))
}
