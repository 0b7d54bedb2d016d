package routing

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// ValiantSpec configures val_group and val_router.
type ValiantSpec struct {
	Exclude Exclusion `yaml:"exclude" doc:"Groups that are not drawn: none, source or both (source and destination)"`
	Redraw  bool      `yaml:"redraw" doc:"Draw anew each time a packet is asked about while it waits at its source"`
	VCMap   string    `yaml:"vc_map" doc:"safe; or ladder: paths within a group share the first classes with others"`
}

func init() {
	add := func(name, doc, source string, class [4]int8, router bool) {
		def := ValiantSpec{Exclude: ExcludeBoth, VCMap: "safe"}
		All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(t topology.Topology, spec any) (Algorithm, error) {
			d, ok := t.(topology.Dragonfly)
			if !ok {
				return nil, &TopologyError{Algorithm: name, Want: "dragonfly"}
			}
			s, err := specOf(name, spec, def)
			var bad []string
			oneOf(&bad, "exclude", &s.Exclude, ExcludeBoth, ExcludeBoth, ExcludeNone, ExcludeSource)
			oneOf(&bad, "vc_map", &s.VCMap, def.VCMap, "safe", "ladder")
			if err == nil && bad != nil {
				err = fmt.Errorf("routing algorithm %s: %s", name, strings.Join(bad, "; "))
			}
			v := &valiant{newLegs(d, class, router), s.Exclude, s.Redraw}
			if s.VCMap == "ladder" {
				v.climb(ladderVia(router))
			}
			return v, err
		}})
	}
	add("val_group", "Valiant to a random group: minimally to the first router of it that the way meets, then minimally on; traffic within a group goes directly.",
		"Kim, Dally, Scott, Abts, ISCA 2008, section 4.1", groupMap, false)
	add("val_router", "Valiant to a random router of a random group, then minimally on; traffic within a group goes directly.",
		"García et al., ICPP 2012, section II", routerMap, true)
}

type valiant struct {
	legs
	exclude Exclusion
	redraw  bool
}

// Next implements Algorithm.
func (a *valiant) Next(v View, p *Packet) Hop {
	if p.Hops == 0 && (a.redraw || !p.Again) && a.start(v, p) && a.draw(v, p, a.exclude) {
		p.Phase = toVia
	}
	return a.next(v, p)
}

// ladderVia is the ladder of paths to an intermediate router, or group.
func ladderVia(router bool) string {
	if router {
		return "lgllgl"
	}
	return "lglgl"
}

// Onward implements SourceRouted.
func (a *valiant) Onward(router int, p *Packet) (port, class int) { return a.onward(router, p) }
