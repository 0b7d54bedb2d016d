package spatial

import (
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/design"
	"github.com/causeway-sim/causeway/accelerators/nest/timeloop"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Spec is the configuration of an accelerator.
type Spec struct {
	// Spec is the nest in Causeway's form.
	design.Spec `yaml:",inline"`
	// InputFile holds the nest in place of the keys of design.Spec, in either form.
	InputFile string `yaml:"input_file" jsonschema:"description=File with levels and problem in place of these keys; or Timeloop's input of version 0.4: architecture and problem and constraints or mapping"`
	// ProblemFile holds the problem where the input does not.
	ProblemFile string `yaml:"problem_file" jsonschema:"description=Problem in Timeloop's form; empty where the input holds it"`
	// ConstraintsFile holds constraints where the input does not.
	ConstraintsFile string `yaml:"constraints_file" jsonschema:"description=Constraints of a search in Timeloop's form; empty where the input holds them or there are none"`
	// MappingFile holds the mapping where the input does not.
	MappingFile string `yaml:"mapping_file" jsonschema:"description=Mapping in either form; empty where the input holds it or a search finds one"`
	// ERTFile and ARTFile are tables of energy and area.
	ERTFile string `yaml:"ert_file" jsonschema:"description=Energy reference table; default ERT.yaml beside the input"`
	ARTFile string `yaml:"art_file" jsonschema:"description=Area reference table; default ART.yaml beside the input"`
	// Rules is the year of the Timeloop release whose rule for halos is used.
	Rules int `yaml:"rules" jsonschema:"description=Year of the Timeloop whose rule for halos is followed: 2024 or 2025"`
	// Search finds a mapping if none is given.
	Search Search `yaml:"search" jsonschema:"description=How a mapping is found where none is given"`
	// Layers gives mappings for layers of a workload.
	Layers []LayerMapping `yaml:"layers" jsonschema:"description=Mappings of layers of the workload; that of others is searched for (with a workload)"`
	// DMA and Vector configure a node that carries out a workload.
	DMA    systolic.DMA `yaml:"dma" jsonschema:"description=Engine that moves tiles between the chip and the memory behind the port (with a workload)"`
	Vector Vector       `yaml:"vector" jsonschema:"description=Unit for what is not matrix work (with a workload)"`
	// Clock is the clock of all cycles.
	Clock units.Frequency `yaml:"clock" jsonschema:"description=Clock that cycles are of"`
}

// LayerMapping is the mapping of the layers whose names match a pattern.
type LayerMapping struct {
	Match   string         `yaml:"match" jsonschema:"required,description=Name of a layer or a pattern such as res2_*"`
	Mapping []design.Entry `yaml:"mapping" jsonschema:"required,description=Loops of each level"`
}

// Vector is a vector unit.
type Vector struct {
	Lanes int `yaml:"lanes" jsonschema:"minimum=1,maximum=1048576,description=Operations per cycle"`
}

// Search configures the search for a mapping.
type Search struct {
	Algorithm   string `yaml:"algorithm" jsonschema:"description=random or local or exhaustive or gradient"`
	Objective   string `yaml:"objective" jsonschema:"description=cycles or energy or edp or traffic or time (of the units or the memory: that of a workload where there are no energies)"`
	Evaluations int64  `yaml:"evaluations" jsonschema:"description=Mappings that are evaluated (of a layer of a workload 4000 by default; with gradient 100); 0 is all of them for exhaustive"`
	// Always searches even if a mapping is given.
	Always bool `yaml:"always" jsonschema:"description=Search although a mapping is given"`
}

// DefaultSpec follows Timeloop of 2024 at 1 GHz.
//
// assumption: 1 GHz as in Timeloop's examples (global_cycle_seconds 1e-9); 50,000 evaluations
// took under 2 s in each case of the tests.
func DefaultSpec() Spec {
	return Spec{Spec: design.Default(), DMA: systolic.DefaultSpec().DMA, Vector: Vector{Lanes: systolic.DefaultSpec().Vector.Lanes}, Rules: int(nest.Rules2024), Clock: units.Frequency{Clock: clock.GHz},
		Search: Search{Algorithm: search.Local, Objective: "edp", Evaluations: 50_000}}
}

func init() {
	system.Register(system.Kind[Spec]{
		Name: "spatial", Fidelity: "analytic", DefaultFidelity: true,
		Works:   true,
		Doc:     "An accelerator described by storage levels, fan-outs and a loop nest, with the counts of Timeloop.",
		Source:  "Parashar et al., Timeloop, ISPASS 2019; Wu et al., Sparseloop, MICRO 2022",
		Subject: system.OfWork, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(), Searches: true,
		Beside: func(key, file string) []string {
			if key != "input_file" {
				return nil
			}
			ert, art := timeloop.Beside(file)
			return []string{ert, art}
		},
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if s.works() {
				return worker(env, name, s, v, false)
			}
			c, err := build(env, name, s, v)
			if err != nil {
				return nil, err
			}
			return c, nil
		},
	})
	system.Register(system.Kind[Spec]{
		Name: "spatial", Fidelity: "tile",
		Works:   true,
		Doc:     "The same, whose DMA engine sends the tiles of its nest, or of those of a workload, to the memory as bursts.",
		Source:  "Parashar et al., Timeloop, ISPASS 2019",
		Subject: system.OfWork, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(), Searches: true,
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if s.works() {
				return worker(env, name, s, v, true)
			}
			c, err := buildAlone(env, name, s, v)
			if err != nil {
				return nil, err
			}
			return c, nil
		},
	})
}
