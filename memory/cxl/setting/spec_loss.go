package setting

import "github.com/causeway-sim/causeway/components/units"

// LossSpec is the loss of a link below a root or a switch.
type LossSpec struct {
	Down int           `yaml:"down" jsonschema:"minimum=0" doc:"The downstream port"`
	At   units.Latency `yaml:"at" jsonschema:"required" doc:"When its link is lost, for good"`
}

// FabricLossSpec is the loss of a link of a fabric: one or all between two switches, or
// that of a terminal.
type FabricLossSpec struct {
	Router   *int          `yaml:"router" jsonschema:"minimum=0" doc:"Switch at one end"`
	Port     *int          `yaml:"port" jsonschema:"minimum=0" doc:"Its port, terminals counted first"`
	To       *int          `yaml:"to" jsonschema:"minimum=0" doc:"In place of a port: the switch at the other end; all links between the two"`
	Terminal *int          `yaml:"terminal" jsonschema:"minimum=0" doc:"In place of a switch: the link of this terminal"`
	At       units.Latency `yaml:"at" jsonschema:"required" doc:"When the link is lost, for good"`
}
