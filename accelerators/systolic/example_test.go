package systolic_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A systolic core and a memory in a plain Akita program: Akita's engine, Akita's
// connection, Akita's way of building.
func Example() {
	engine := sim.NewSerialEngine()
	core := systolic.MakeBuilder().WithEngine(engine).WithFreq(1 * sim.GHz).With(func(s *systolic.Spec) { s.Rows, s.Cols = 64, 64 }).Build("Core")
	mem := ideal.MakeBuilder().WithEngine(engine).WithFreq(1 * sim.GHz).WithLatency(100).Build("Mem")
	conn := sim.NewDirectConnection("Conn", engine, 1*sim.GHz)
	conn.PlugIn(core.GetPortByName("Mem"), 64)
	conn.PlugIn(mem.GetPortByName("Top"), 64)

	// Every address is at home in the memory; fidelity tile needs no more.
	home, err := memory.NewMap(memory.Range{Size: 1 << 40, Ports: []sim.Port{mem.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
	if err != nil {
		panic(err)
	}
	if err := core.SetMap("mem", home); err != nil {
		panic(err)
	}

	net, err := zoo.Build("resnet18", zoo.Params{})
	if err != nil {
		panic(err)
	}
	programs, err := mapping.Split(net, []machine.Core{core.Core(graph.Uniform(graph.Int8))}, mapping.DefaultSpec())
	if err != nil {
		panic(err)
	}
	err = work.IssueAll(core, work.Share{Name: net.Name, Graph: net, Program: programs[0], Base: func(t graph.TensorID) uint64 {
		return uint64(t-dma.Scratch) << 30 // plenty of room for each tensor
	}})
	if err != nil {
		panic(err)
	}
	if err := core.Start(); err != nil {
		panic(err)
	}
	if err := engine.Run(); err != nil {
		panic(err)
	}
	for _, m := range core.Stats().Metrics() {
		if m.Name == "macs" {
			fmt.Printf("%s: %.0f %s\n", m.Name, m.Value, m.Unit)
		}
	}
	fmt.Println("conservation laws broken:", len(core.Stats().Verify()))
	// Output:
	// macs: 1814073344 1
	// conservation laws broken: 0
}
