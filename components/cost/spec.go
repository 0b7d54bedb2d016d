package cost

import "github.com/causeway-sim/causeway/components/units"

// A Spec is the section cost.
type Spec struct {
	Chips []Chip `yaml:"chips" jsonschema:"required,minItems=1" doc:"Chips of the system, each with its die, memory and package"`
	Grid  *Grid  `yaml:"grid,omitempty" doc:"Electricity of the run; none: no operational carbon"`
	// Years and Utilization share the embodied carbon among runs.
	Years       *float64 `yaml:"years,omitempty" jsonschema:"exclusiveMinimum=0,maximum=100" doc:"Years of service; a run takes its share of the embodied carbon, in metric carbon"`
	Utilization *float64 `yaml:"utilization,omitempty" jsonschema:"exclusiveMinimum=0,maximum=1" doc:"Share of those years in which runs go on; 1 if left out"`
}

// A Chip is one die with what stands in its package.
type Chip struct {
	Name     string        `yaml:"name" jsonschema:"required,pattern=^[A-Z][A-Za-z0-9_]*$" doc:"Name in the results"`
	Count    int           `yaml:"count" jsonschema:"minimum=1" doc:"How many of them the system has; 1 if left out"`
	Area     units.Area    `yaml:"area" doc:"Area of the die; or else nodes and fill"`
	Nodes    []string      `yaml:"nodes" doc:"Nodes on the die, whose metrics area are added up; the name of an array is all of it"`
	Fill     float64       `yaml:"fill" jsonschema:"exclusiveMinimum=0,maximum=1" doc:"Share of the die that the areas of nodes make: control, wires, links and pads are the rest"`
	Process  Process       `yaml:"process" jsonschema:"required,enum=28nm,enum=20nm,enum=14nm,enum=10nm,enum=8nm,enum=7nm,enum=5nm,enum=3nm" doc:"Process of the die"`
	Wafer    *float64      `yaml:"wafer,omitempty" jsonschema:"minimum=0" doc:"US dollars for a wafer; a published estimate where there is one"`
	Diameter *units.Length `yaml:"diameter,omitempty" doc:"Of the wafer; 300mm if left out"`
	Ring     units.Length  `yaml:"ring" doc:"Outer ring of the wafer that is not used"`
	Yield    YieldName     `yaml:"yield" doc:"Model of yield; negative_binomial if left out"`
	Fab      Fab           `yaml:"fab" doc:"Where the die is made, for its carbon"`
	HBM      *HBM          `yaml:"hbm,omitempty" doc:"Stacks of memory in the package"`
	Package  Package       `yaml:"package" doc:"The package, assembly and test"`
}

// A Fab is a factory of dies.
type Fab struct {
	Intensity *float64 `yaml:"intensity,omitempty" jsonschema:"minimum=0" doc:"Grams of CO2 for a kWh of its electricity; 583 (Taiwan) if left out"`
	Abatement *float64 `yaml:"abatement,omitempty" jsonschema:"minimum=0.95,maximum=0.99" doc:"Share of its gases that it destroys; 0.97 if left out"`
}

// An HBM is the memory next to a die.
type HBM struct {
	Stacks   int         `yaml:"stacks" jsonschema:"required,minimum=1" doc:"Stacks of a chip"`
	Capacity units.Bytes `yaml:"capacity" jsonschema:"required" doc:"Of a stack"`
	Price    *float64    `yaml:"price,omitempty" jsonschema:"minimum=0" doc:"US dollars for 10^9 bytes; 15 if left out, an assumption"`
	Carbon   *float64    `yaml:"carbon,omitempty" jsonschema:"minimum=0" doc:"Grams of CO2 for 10^9 bytes; 65 if left out, that of DDR4"`
}

// A Package is what holds a die.
type Package struct {
	Price  *float64 `yaml:"price,omitempty" jsonschema:"minimum=0" doc:"US dollars; a third of the die's price if left out, an assumption"`
	Carbon *float64 `yaml:"carbon,omitempty" jsonschema:"minimum=0" doc:"Grams of CO2; 150 if left out"`
}

// A Grid is the electricity that a run takes.
type Grid struct {
	Intensity *float64 `yaml:"intensity,omitempty" jsonschema:"minimum=0" doc:"Grams of CO2 for a kWh; or else file"`
	File      string   `yaml:"file" doc:"CSV with columns hour and g_per_kwh: the intensity from that hour on; days repeat"`
	Start     float64  `yaml:"start" jsonschema:"minimum=0" doc:"Hour of the file at which the run starts"`
	Hours     *float64 `yaml:"hours,omitempty" jsonschema:"exclusiveMinimum=0" doc:"The workload repeats for so many hours, and a run has the mean of them; the run's own time if left out"`
	PUE       *float64 `yaml:"pue,omitempty" jsonschema:"minimum=1" doc:"Energy that the building takes for each joule of the machines; 1 if left out"`
}

const (
	waferDiameter = 300.0

	// Gupta et al., ACT, ISCA 2022, carbon_intensity/location.json of its release: Taiwan.
	fabIntensity = 583.0
	// ACT's default is 97 %.
	fabAbatement = 0.97
	// ACT, dram/dram_hynix.json of its release: DDR4 of a process of 10 nm class.
	// assumption: HBM emits as much for a byte as DDR4; nothing is published.
	dramCarbon = 65.0
	// assumption: no maker of HBM publishes prices; estimates of 2023 and 2024 lie around it.
	dramPrice = 15.0
	// ACT, section 3: packages of 150 g.
	packageCarbon = 150.0
	// assumption: Khan and Mann, AI Chips, CSET 2020, have 80 USD of assembly, test and package for a chip of
	// 5 nm that a foundry sells for 238 USD (as quoted by eenewseurope); interposers of HBM cost more.
	packageShare = 1.0 / 3

	hoursInYear = 365.25 * 24
)

// or is the value that a key gives, or else another.
func or[T any](given *T, other T) T {
	if given != nil {
		return *given
	}
	return other
}
