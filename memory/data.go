package memory

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
)

// Data is the contents of a memory: Akita's Storage, which a program may fill before the run and
// read after it. Requests read and write it in the order in which the memory takes them from its
// port, whatever the time of their answers.
type Data struct{ Storage *mem.Storage }

// NewData returns zeros for all 64-bit addresses.
func NewData() *Data { return &Data{mem.NewStorage(math.MaxUint64)} }

// A StorageOwner is a memory that may hold bytes. Storage is nil if requests carry timing only.
type StorageOwner interface{ Storage() *mem.Storage }

// A Carrier forwards requests. CarriesBytes reports whether a memory below holds bytes.
type Carrier interface{ CarriesBytes() bool }

// Holds reports whether a component is a memory that holds bytes, or leads to one.
func Holds(x any) bool {
	if c, ok := x.(Carrier); ok {
		return c.CarriesBytes()
	}
	h, ok := x.(StorageOwner)
	return ok && h.Storage() != nil
}

// TimingOnly returns an error if a memory of the map holds bytes. A requester that neither writes
// nor reads bytes calls it.
func (m *Map) TimingOnly(requester string) error {
	for _, r := range m.Ranges() {
		for _, p := range r.Ports {
			if p == nil {
				continue
			}
			if c := p.Component(); c != nil && Holds(c) {
				return fmt.Errorf("functional: true of %s has no effect: its bytes do not reach the requester, since %s carries timing only", c.Name(), requester)
			}
		}
	}
	return nil
}

// Serve carries out a request. For a read it returns a copy of the bytes. A write changes the
// bytes that its DirtyMask selects, or all without a mask.
func (d *Data) Serve(m sim.Msg) []byte {
	switch m := m.(type) {
	case *mem.ReadReq:
		out, err := d.Storage.Read(m.Address, m.AccessByteSize)
		if err != nil {
			panic(fmt.Sprintf("memory: read of %#x: %v", m.Address, err)) // the storage has all addresses
		}
		return out
	case *mem.WriteReq:
		for from, to := range Dirty(m) {
			if err := d.Storage.Write(m.Address+from, m.Data[from:to]); err != nil {
				panic(fmt.Sprintf("memory: write to %#x: %v", m.Address, err))
			}
		}
	}
	return nil
}

// Fill sets the bytes of the response to a read; nil is none.
func Fill(rsp sim.Msg, data []byte) {
	if d, ok := rsp.(*mem.DataReadyRsp); ok {
		d.Data = data
	}
}

// Dirty yields the runs of bytes that a write changes, as offsets into its Data. It panics if the
// mask and the data differ in length.
func Dirty(m *mem.WriteReq) func(yield func(from, to uint64) bool) {
	return func(yield func(from, to uint64) bool) {
		n := uint64(len(m.Data))
		if m.DirtyMask == nil {
			if n > 0 {
				yield(0, n)
			}
			return
		}
		if uint64(len(m.DirtyMask)) != n {
			panic(fmt.Sprintf("memory: a write of %d bytes with a mask of %d", n, len(m.DirtyMask)))
		}
		for from := uint64(0); from < n; {
			to := from
			for to < n && m.DirtyMask[to] {
				to++
			}
			if to > from && !yield(from, to) {
				return
			}
			from = to + 1
		}
	}
}

// Carry sets the data of the call's write and its byte mask; a nil mask is all bytes.
func (x *Call[T]) Carry(data []byte, mask []bool) { x.write.Data, x.write.DirtyMask = data, mask }
