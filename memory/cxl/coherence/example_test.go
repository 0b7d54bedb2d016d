package coherence_test

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// wires delivers every message at once, and has the memory in a map.
type wires struct {
	hosts  []*coherence.Host
	device *coherence.Device
	queue  []coherence.Message
	memory map[uint64]uint64
}

func (w *wires) Send(m coherence.Message) { w.queue = append(w.queue, m) }

func (w *wires) Done(_ int32, value uint64) { fmt.Println("  done:", value) }

func (w *wires) Fetch(id int32, addr uint64) { w.device.Fetched(id, w.memory[addr]) }

func (w *wires) Store(addr, value uint64) { w.memory[addr] = value }

func (w *wires) run() {
	for len(w.queue) > 0 {
		m := w.queue[0]
		w.queue = w.queue[1:]
		fmt.Printf("  host %d %s\n", m.Host, m)
		if m.Channel().Direction() == flit.Down {
			w.device.Receive(m)
		} else {
			w.hosts[m.Host].Receive(m)
		}
	}
}

// One host stores to a line, the other one loads it.
func Example() {
	w := &wires{memory: map[uint64]uint64{}}
	w.device = coherence.NewDevice(coherence.HDMDB, coherence.NewFilter(64, 4), 1, 0, w)
	for i := range uint8(2) {
		w.hosts = append(w.hosts, coherence.NewHost(i, 64, 4, w))
	}
	fmt.Println("host 0 stores 42")
	w.hosts[0].Access(0x40, coherence.Store, 0, 42)
	w.run()
	fmt.Println("host 1 loads")
	w.hosts[1].Access(0x40, coherence.Load, 1, 0)
	w.run()
	// Output:
	// host 0 stores 42
	//   host 0 MemInv,SnpInv,A
	//   host 0 Cmp-E
	//   done: 42
	// host 1 loads
	//   host 1 MemRd,SnpData,S
	//   host 0 BISnpData
	//   host 0 MemWr,S =42
	//   host 0 Cmp
	//   host 0 BIRspS
	//   host 1 Cmp-S
	//   host 1 MemData =42
	//   done: 42
}
