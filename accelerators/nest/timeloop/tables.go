package timeloop

import (
	"github.com/causeway-sim/causeway/configs"
)

// energies reads the energy reference table: pJ of each action of each component. It
// names components by their path in the tree.
func (r *reader) energies(v configs.Value) {
	if !v.Exists() {
		return
	}
	r.in.Energies = true
	tables := r.tables(v, "ERT", "actions")
	for l := range r.in.Arch.Levels {
		t, ok := tables[r.levels[l]]
		if !ok {
			// A level that keeps nothing, a mere fan-out, has none.
			continue
		}
		e := &r.in.Arch.Levels[l].Energy
		r.actionsOf(t, map[string]*float64{
			"read": &e.Read, "write": &e.Write, "update": &e.Update, "leak": &e.Leak,
			"gated_read": &e.GatedRead, "gated_write": &e.GatedWrite, "gated_update": &e.GatedUpdate,
			"metadata_read": &e.MetaRead, "metadata_write": &e.MetaWrite, "metadata_update": &e.MetaUpdate,
			"gated_metadata_read": &e.GatedMetaRead, "gated_metadata_write": &e.GatedMetaWrite, "gated_metadata_update": &e.GatedMetaUpdate,
			"decompression_count": &e.Decompress, "compression_count": &e.Compress,
		})
	}
	c := &r.in.Arch.Compute
	t, ok := tables[c.Name]
	if !ok {
		r.errs.Add(v.Errorf(nil, "has no table of %s", c.Name))
		return
	}
	leak := 0.0
	r.actionsOf(t, map[string]*float64{"compute": &c.Energy, "gated_compute": &c.GatedEnergy, "leak": &leak})
	if leak != 0 {
		r.note("ERT." + c.Name + ".leak") // Timeloop counts no leakage of compute
	}
}

// areas reads the area reference table: um^2 of one instance.
func (r *reader) areas(v configs.Value) {
	if !v.Exists() {
		return
	}
	r.in.Areas = true
	for name, t := range r.tables(v, "ART", "area") {
		for l, known := range r.levels {
			switch {
			case known != name:
			case l == len(r.in.Arch.Levels):
				r.in.Arch.Compute.Area = r.number(t.Get("area"))
			default:
				r.in.Arch.Levels[l].Area = r.number(t.Get("area"))
			}
		}
	}
}

// tables finds the table of each component.
func (r *reader) tables(v configs.Value, where, what string) map[string]configs.Value {
	r.keys(v, where, nil, "version", "tables")
	r.version(v)
	out := map[string]configs.Value{}
	for _, t := range r.items(v.Get("tables")) {
		r.keys(t, where+".tables", nil, "name", what)
		name := bare(t.Get("name").Text())
		if _, ok := r.pick(t.Get("name"), "component", name, r.levels); !ok {
			continue
		}
		if first, dup := out[name]; dup {
			r.errs.Add(t.Errorf(nil, "is a second table of %s (first at %s)", name, first.Pos()))
		}
		out[name] = t
	}
	return out
}

// actionsOf reads the energies of one component. Those of actions that no count goes
// with are listed.
func (r *reader) actionsOf(t configs.Value, into map[string]*float64) {
	seen := map[string]float64{}
	for _, a := range r.items(t.Get("actions")) {
		r.keys(a, "ERT.actions", []string{"arguments"}, "name", "energy")
		name := a.Get("name").Text()
		to, ok := into[name]
		if !ok {
			r.note("ERT.actions." + name)
			continue
		}
		e := r.number(a.Get("energy"))
		if old, dup := seen[name]; dup && old != e {
			r.errs.Add(a.Errorf(nil, "%s is given another energy for other arguments; one is needed", name))
		}
		seen[name], *to = e, e
	}
}
