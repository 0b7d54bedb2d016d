package engine

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
)

// monitored lists the buffers of a port as Akita's monitor finds them: fields whose
// type is sim.Buffer (monitoring/monitor.go, registerComponentOrPortBuffers).
func monitored(p sim.Port) (out []sim.Buffer) {
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Type() == reflect.TypeFor[sim.Buffer]() {
			out = append(out, reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface().(sim.Buffer))
		}
	}
	return out
}

func TestAkitasMonitorFindsTheBufferOfAPort(t *testing.T) {
	p := NewPort(nil, "Core.Mem", 3)
	found := monitored(p)
	require.Len(t, found, 1)
	b := found[0]
	require.Equal(t, "Core.Mem.Buf", b.Name())
	require.Equal(t, []int{0, 3}, []int{b.Size(), b.Capacity()})
	require.Nil(t, b.Peek())
	m := &mem.ReadReq{}
	for range 3 {
		require.True(t, b.CanPush())
		require.Nil(t, p.Recv(m))
	}
	require.Equal(t, 3, b.Size())
	require.False(t, b.CanPush())
	require.Equal(t, m, b.Peek())
	p.Retrieve(0)
	require.Equal(t, 2, b.Size())
	require.Panics(t, func() { b.Pop() })
	require.Panics(t, func() { b.Push(m) })
	require.Panics(t, b.Clear)
}
