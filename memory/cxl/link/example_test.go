package link_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// device answers every read 50 ns after it has come.
type device struct {
	l   *link.Link
	due []int64
}

func (d *device) Arrived(m *flit.Message, at link.Times) {
	fmt.Printf("%6.2f ns: %s\n", float64(at.At)/1000, m.Class)
	d.l.Release(at.At, m.Class)
	if m.Class == flit.M2SReq {
		d.due = append(d.due, at.At+50_000)
	}
}

func (d *device) Departed(*flit.Message, int64) {}

func (d *device) ArrivedIO(flit.Direction, uint32, link.Times) {}

// A read over a x8 link at 32 GT/s.
func Example() {
	d := &device{}
	cfg := link.DefaultConfig()
	cfg.Lanes = 8
	var err error
	if d.l, err = link.New(cfg, d); err != nil {
		panic(err)
	}
	d.l.Push(0, flit.Message{Class: flit.M2SReq})
	for {
		t := d.l.Next()
		if len(d.due) > 0 && d.due[0] <= t {
			t = d.due[0]
			d.l.Push(t, flit.Message{Class: flit.S2MDRS})
			d.due = d.due[1:]
		}
		if t == link.Never {
			break
		}
		d.l.Run(t)
	}
	// Output:
	//   4.16 ns: M2SReq
	//  60.48 ns: S2MDRS
}
