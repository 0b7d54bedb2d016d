package cost

import (
	"math"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// A Yield is the share of dies of an area (mm2) that work.
type Yield func(mm2 float64) float64

// Yields are the models of yield.
var Yields = registry.New[func(spec any) Yield]("yield")

// defects per cm2.
//
// assumption: 0.1 for all processes. TSMC said 0.09 for 7 nm and 0.10 to 0.11 for 5 nm at its
// Technology Symposium of 2020, as reported.
const defects = 0.1

type random struct {
	Defects float64 `yaml:"defects" jsonschema:"minimum=0" doc:"Defects per cm2"`
}

type clustered struct {
	Defects    float64 `yaml:"defects" jsonschema:"minimum=0" doc:"Defects per cm2"`
	Clustering float64 `yaml:"clustering" jsonschema:"exclusiveMinimum=0" doc:"How evenly they lie; large: each by chance"`
}

type layered struct {
	Defects float64 `yaml:"defects" jsonschema:"minimum=0" doc:"Defects per cm2 and layer"`
	Layers  float64 `yaml:"layers" jsonschema:"exclusiveMinimum=0" doc:"Number of critical layers"`
}

type known struct {
	Yield float64 `yaml:"yield" jsonschema:"exclusiveMinimum=0,maximum=1" doc:"Share of dies that work, whatever their area"`
}

func init() {
	add := func(name, doc, source string, spec any, f func(spec any) Yield) {
		Yields.Add(registry.Entry[func(any) Yield]{Name: name, Doc: doc, Source: source, Spec: spec, New: f})
	}
	add("poisson", "Each defect lies anywhere, by chance: exp(-A D).", "Murphy, Proc. IEEE 52, 1964", random{defects}, func(spec any) Yield {
		d := spec.(random).Defects
		return func(mm2 float64) float64 { return math.Exp(-mm2 / 100 * d) }
	})
	add("murphy", "The density of defects varies from wafer to wafer, as a triangle: ((1 - exp(-A D)) / (A D))^2.", "Murphy, Proc. IEEE 52, 1964", random{defects}, func(spec any) Yield {
		d := spec.(random).Defects
		return func(mm2 float64) float64 {
			x := mm2 / 100 * d
			if x == 0 {
				return 1
			}
			return math.Pow(-math.Expm1(-x)/x, 2)
		}
	})
	add("negative_binomial", "Defects lie in clusters: (1 + A D / c)^-c.", "Stapper, IBM JRD 27, 1983; c = 2 as in ITRS 2007, Yield Enhancement", clustered{defects, 2}, func(spec any) Yield {
		s := spec.(clustered)
		return func(mm2 float64) float64 {
			return math.Pow(1+mm2/100*s.Defects/s.Clustering, -s.Clustering)
		}
	})
	add("bose_einstein", "Each of N critical layers has its defects: (1 + A D)^-N.", "Hennessy and Patterson, Computer Architecture, 5th edition, section 1.6, with its figures for 40 nm", layered{0.031, 13.5}, func(spec any) Yield {
		s := spec.(layered)
		return func(mm2 float64) float64 { return math.Pow(1+mm2/100*s.Defects, -s.Layers) }
	})
	add("fixed", "The share is given.", "Gupta et al., ACT, ISCA 2022: 0.875", known{0.875}, func(spec any) Yield {
		return func(float64) float64 { return spec.(known).Yield }
	})
	schema.RegisterFunc[YieldName](func() schema.Schema { return named.Schema("a model of yield", Yields) })
}

// A YieldName names one of Yields; the zero value is negative_binomial.
type YieldName struct{ named.Choice }

// UnmarshalConfig reads a name, or a mapping with its parameters.
func (y *YieldName) UnmarshalConfig(v configs.Value) (err error) {
	y.Choice, err = named.Read(v, "yield", Yields)
	return err
}

// New returns the model.
func (y YieldName) New() Yield {
	name := y.Name
	if name == "" {
		name = "negative_binomial"
	}
	e, _ := Yields.Entry(name)
	if y.Spec == nil {
		return e.New(e.Spec)
	}
	return e.New(y.Spec)
}
