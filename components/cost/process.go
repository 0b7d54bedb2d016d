package cost

// A process holds the published figures of a node.
type process struct {
	name  string
	wafer float64 // USD for 300 mm; 0: nothing is published
	// per cm2 of wafer
	electricity    float64 // kWh
	gas95, gas99   float64 // g, with 95 and 99 % of the gases destroyed
	materials      float64 // g
	waferIsAnother string  // the node that the wafer's price is of, where it is not this one
}

// processes lists them, the oldest first.
//
//   - wafer: Khan and Mann 2020, table 9: what a foundry asks for a wafer of 300 mm. 28 and 20 nm are
//     quoted from memory, the others were read again in works that quote the table.
//   - electricity, gases, materials: ACT's release, logic/epa.json, gpa_95.json, gpa_99.json,
//     materials.json.
var processes = []process{
	{"28nm", 2891, 0.9, 175, 100, 500, ""},
	{"20nm", 3677, 1.2, 190, 110, 500, ""},
	{"14nm", 3984, 1.2, 200, 125, 500, "16/12 nm"},
	{"10nm", 5992, 1.475, 240, 150, 500, ""},
	{"8nm", 0, 1.52, 240, 150, 500, ""},
	{"7nm", 9346, 2.15, 350, 200, 500, ""},
	{"5nm", 16988, 2.75, 430, 225, 500, ""},
	{"3nm", 0, 3.25, 470, 275, 500, ""},
}

// A Process names one of the processes with figures.
type Process string

// figures of a process; its name has been checked.
func (p Process) figures() *process {
	for i := range processes {
		if processes[i].name == string(p) {
			return &processes[i]
		}
	}
	return &process{}
}

// carbon is what a cm2 of wafer emits, in grams: in a fab whose electricity has that intensity (g/kWh)
// and that destroys that share of its gases.
func (p *process) carbon(intensity, abatement float64) float64 {
	part := (abatement - 0.95) / 0.04
	return intensity*p.electricity + p.gas95 + part*(p.gas99-p.gas95) + p.materials
}
