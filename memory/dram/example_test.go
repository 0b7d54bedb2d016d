package dram_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// printer prints when reads are done.
type printer struct{}

func (printer) Accepted(uint32, int64)    {}
func (printer) Done(tag uint32, at int64) { fmt.Println("read", tag, "done at", at) }

// A controller without any simulator around it: a closed row, a hit, and another
// row of the same bank.
func ExampleController() {
	grade, _ := standard.Find("ddr4_3200")
	places := address.New("Ro-Ba-BG-Co", grade.Organisation.Geometry(1))
	c, err := dram.New(dram.DefaultConfig(grade), printer{})
	if err != nil {
		panic(err)
	}
	c.Observe(func(r buslog.Record) { fmt.Println(r) })
	for i, burst := range []uint64{0, 1, 1 << 11} {
		c.Push(0, uint32(i), places.Decode(burst), false)
	}
	for !c.Idle() {
		c.Run(c.Next())
	}
	// Output:
	// 0 ACT 0 0 0 0 0
	// 22 RD 0 0 0 0 0
	// read 0 done at 48
	// 30 RD 0 0 0 0 1
	// read 1 done at 56
	// 52 PRE 0 0 0 1 0
	// 74 ACT 0 0 0 1 0
	// 96 RD 0 0 0 1 0
	// read 2 done at 122
}
