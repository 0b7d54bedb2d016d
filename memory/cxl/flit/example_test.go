package flit_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// Two answers with data go into flits of 68 bytes and come out at the other end.
func ExampleUnpacker() {
	packer := flit.NewPacker(flit.Flit68, flit.Up, flit.DefaultLimits(flit.Flit68))
	unpacker := flit.NewUnpacker(flit.Flit68, flit.Up)
	for tag := range uint16(2) {
		packer.Push(flit.Message{Class: flit.S2MDRS, Tag: tag})
	}
	for f := (flit.Flit{}); packer.Pack(&f); {
		var b [flit.MaxBytes]byte
		n := f.Encode(flit.Flit68, flit.Up, &b)
		var got flit.Flit
		messages, err := unpacker.Unpack(b[:n], &got, nil)
		if err != nil {
			panic(err)
		}
		for _, m := range messages {
			fmt.Println(m.Class, m.Tag, "complete")
		}
	}
	// Output:
	// S2MDRS 0 complete
	// S2MDRS 1 complete
}
