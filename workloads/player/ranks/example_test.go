package ranks_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
)

// Four ranks exchange the faces of their parts of a volume, in plain Akita: its
// engine and its connection.
func Example() {
	program, err := motif.Make("halo3d", 4, motif.Halo{
		Steps: motif.Steps{Steps: 10, Compute: 2 * units.Microsecond},
		Dims:  []int{2, 2, 1}, Cells: []int{16, 16, 16}, Cell: 8,
	})
	if err != nil {
		panic(err)
	}
	engine := sim.NewSerialEngine()
	player := ranks.MakeBuilder().WithEngine(engine).WithFreq(1 * sim.GHz).WithProgram(program).Build("Ranks")
	connection := sim.NewDirectConnection("Connection", engine, 1*sim.GHz)
	for i := range program.Ranks {
		connection.PlugIn(player.GetPortByName(fmt.Sprintf("Nic[%d]", i)), 4)
	}
	if err := player.Start(); err != nil {
		panic(err)
	}
	if err := engine.Run(); err != nil {
		panic(err)
	}
	for _, m := range player.Stats().Metrics() {
		switch m.Name {
		case "messages", "message_bytes", "total_time":
			fmt.Println(m.Name, m.Value, m.Unit)
		}
	}
	// Output:
	// message_bytes 163840 B
	// messages 80 request
	// total_time 20010 ns
}
