package hammer

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Modes are the ways of refreshing: all banks of a rank at once, one bank of every group, one bank, none.
var Modes = []string{"all_bank", "same_bank", "per_bank", "none"}

// Refresh is the value of the key refresh: a mode, or a mapping with a defence against row hammer.
type Refresh struct {
	Mode   string
	Hammer Setting
	Seed   uint64 // of what a defence draws
}

// refreshKeys are the keys of the mapping.
type refreshKeys struct {
	Mode    string `yaml:"mode" jsonschema:"enum=all_bank,enum=same_bank,enum=per_bank,enum=none" doc:"All banks of a rank at once, one bank of every group, one bank, or none"`
	Setting `yaml:",inline"`
}

func init() {
	modes := []any{}
	for _, m := range Modes {
		modes = append(modes, m)
	}
	schema.RegisterFunc[Refresh](func() schema.Schema {
		return schema.Schema{"title": "a way of refreshing", "anyOf": []any{schema.Schema{"type": "string", "enum": modes}, schema.Of(Refresh{}.keys())}}
	})
}

func (r Refresh) keys() refreshKeys { return refreshKeys{r.Mode, r.Hammer} }

// DefaultRefresh refreshes all banks of a rank at once, and does not count rows.
func DefaultRefresh() Refresh {
	return Refresh{Mode: Modes[0], Hammer: DefaultSetting()}
}

// String returns the mode.
func (r Refresh) String() string { return r.Mode }

// ConfigKeys implements schema.Keyed.
func (Refresh) ConfigKeys() any { return DefaultRefresh().keys() }

// UnmarshalConfig implements configs.Unmarshaler.
func (r *Refresh) UnmarshalConfig(v configs.Value) error {
	if v.Kind() == configs.String {
		if !slices.Contains(Modes, v.Text()) {
			return v.Errorf(Modes, "%q is not known", v.Text())
		}
		r.Mode = v.Text()
		return nil
	}
	k := r.keys()
	if err := v.Decode(&k); err != nil {
		return err
	}
	*r = Refresh{Mode: k.Mode, Hammer: k.Setting}
	for _, key := range Keys {
		if x := v.Get(key); x.Exists() && !Reads(k.Mitigation, key) {
			return x.Errorf(nil, "has no effect with mitigation %s", cmp.Or(k.Mitigation, "absent"))
		}
	}
	return nil
}
