package timeloop

import (
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// ReadMapping reads a mapping alone, of a nest that another form describes. Legal of
// what it returns tells what is wrong with it.
func ReadMapping(d *nest.Description, s Source) (*Input, error) {
	v, err := configs.ParseTagged(s.Name, s.Text)
	if err != nil {
		return nil, err
	}
	r := &reader{in: &Input{Description: *d}, unused: map[string]bool{}}
	r.in.at.levels = make([]configs.Value, len(d.Arch.Levels)+1)
	for _, x := range d.Problem.Dims {
		r.dims = append(r.dims, x.Name)
	}
	for _, x := range d.Problem.Tensors {
		r.tensors = append(r.tensors, x.Name)
	}
	for _, x := range d.Arch.Levels {
		r.levels = append(r.levels, x.Name)
	}
	r.levels = append(r.levels, d.Arch.Compute.Name)
	r.keys(v, "mapping", nil, "mapping")
	if r.errs == nil && len(r.items(v.Get("mapping"))) == 0 {
		r.errs.Add(v.Errorf(nil, "has no mapping"))
	}
	r.mapping(v.Get("mapping"))
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.in, nil
}
