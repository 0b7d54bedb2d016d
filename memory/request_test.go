package memory_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory"
)

func TestRequestOf(t *testing.T) {
	h := &memory.Hint{Core: 3}
	read := &mem.ReadReq{Address: 64, AccessByteSize: 256, Info: h}
	write := &mem.WriteReq{Address: 32, Data: make([]byte, 8)}
	var n memory.Traffic
	for _, c := range []struct {
		msg  sim.Msg
		want memory.Request
	}{
		{read, memory.Request{Addr: 64, Bytes: 256, Hint: h}},
		{write, memory.Request{Addr: 32, Bytes: 8, Write: true}},
		{read, memory.Request{Addr: 64, Bytes: 256, Hint: h}},
	} {
		got, ok := memory.RequestOf(c.msg)
		require.True(t, ok)
		require.Equal(t, c.want, got)
		n.Count(got)
	}
	require.Equal(t, memory.Traffic{Reads: 2, Writes: 1, ReadBytes: 512, WriteBytes: 8}, n)
	require.EqualValues(t, 3, n.Requests())
	require.EqualValues(t, 520, n.Bytes())
	_, ok := memory.RequestOf(&mem.DataReadyRsp{})
	require.False(t, ok)
}

func TestRespond(t *testing.T) {
	var p memory.Responses
	read := &mem.ReadReq{AccessByteSize: 64, Info: &memory.Hint{}}
	read.ID = "a"
	rsp := p.Respond(read, nil, 2)
	require.Equal(t, "a", rsp.(sim.Rsp).GetRspTo())
	require.Same(t, rsp, p.Respond(read, nil, 3))
	write := &mem.WriteReq{}
	write.ID = "b"
	require.IsType(t, &mem.WriteDoneRsp{}, p.Respond(write, nil, 2))
	require.Panics(t, func() { p.Respond(&mem.DataReadyRsp{}, nil, 2) })
}
