package steps_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/workloads/player/steps"
	"github.com/causeway-sim/causeway/workloads/service"
)

// The player works in a plain Akita program, with Akita's engine and connection.
func Example() {
	engine := sim.NewSerialEngine()
	p, err := service.New("rag", service.RAG{Queries: 1, Hops: 4, Degree: 8, Dim: 16, Vectors: 1000})
	if err != nil {
		panic(err)
	}
	gpu, err := steps.New("GPU", engine, steps.DefaultSpec(), p, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		panic(err)
	}
	gpu.Grow("mem", 1)
	top := ideal.MakeBuilder().WithEngine(engine).WithFreq(1 * sim.GHz).WithLatency(50).Build("Mem").GetPortByName("Top")
	homes, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{top}, Paths: make([]memory.Path, 1)})
	if err == nil {
		err = gpu.SetMap("mem[0]", homes)
	}
	if err != nil {
		panic(err)
	}
	c := sim.NewDirectConnection("Connection", engine, 1*sim.GHz)
	c.PlugIn(gpu.GetPortByName("Mem[0]"), 64)
	c.PlugIn(top, 64)
	if err := gpu.Start(); err != nil {
		panic(err)
	}
	if err := engine.Run(); err != nil {
		panic(err)
	}
	for _, m := range gpu.Stats().Metrics() {
		if m.Name == "reads" || m.Name == "total_time" {
			fmt.Printf("%s %.0f %s\n", m.Name, m.Value, m.Unit)
		}
	}
	// Output:
	// reads 36 request
	// total_time 415 ns
}
